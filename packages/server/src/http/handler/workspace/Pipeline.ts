import { Api } from "@leadloom/api/internal/Api"
import { dryRun } from "@leadloom/core/internal/workflow/pipeline/DryRun"
import { handleRequest } from "@leadloom/core/internal/workflow/pipeline/HandleRequest"
import { explainRun } from "@leadloom/core/internal/workflow/pipeline/ExplainRun"
import { listRuns } from "@leadloom/core/internal/workflow/pipeline/Runs"
import { replayRun } from "@leadloom/core/internal/workflow/pipeline/ReplayRun"
import { ruleStoryToJson } from "@leadloom/api/internal/schema/Runs"
import { triggerRunToJson } from "@leadloom/api/internal/workspace/Pipeline"
import { listTriggerRuns } from "@leadloom/core/internal/workflow/trigger/ListTriggerRuns"
import { startRule } from "@leadloom/core/internal/workflow/trigger/StartRule"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"
import { withIdempotencyKey } from "../../middleware/Idempotency.ts"
import { requestFromJson, resultToJson } from "../../json/PipelineJson.ts"
import { setReplayHeader } from "../../middleware/SendAnswer.ts"
import { replayToJson, runDetailToJson, runToJson } from "../../json/RunJson.ts"

/** The default number of runs per page. */
const defaultPageSize = 50

/** Endpoints for the full pipeline, its dry run and its stored runs. */
export const layer = HttpApiBuilder.group(Api, "pipeline", (handlers) =>
  handlers.handleAll({
    run: Effect.fnUntraced(function* ({ headers, params, payload }) {
      const tenants = yield* Tenants
      const tenant = yield* answer(tenants.get(params.tenant_id))
      const request = withIdempotencyKey(requestFromJson(payload), headers["idempotency-key"])
      const { replayed, result, signalId } = yield* answer(handleRequest({ tenant, request }))
      if (replayed) yield* setReplayHeader
      return resultToJson(signalId, result)
    }),
    dryRun: Effect.fnUntraced(function* ({ params, payload }) {
      const tenants = yield* Tenants
      const tenant = yield* answer(tenants.get(params.tenant_id))
      const { classification = null, rules = null } = payload
      const { facts, result, signalId, stories } = yield* answer(
        dryRun({ tenant, request: requestFromJson(payload), rules, classification })
      )
      return { ...resultToJson(signalId, result, true), facts, rules: stories.map(ruleStoryToJson) }
    }),
    listRuns: Effect.fnUntraced(function* ({ params, query }) {
      const { contact_id: contactId = null, cursor = null, lead_id: leadId = null, limit = defaultPageSize } = query
      const found = yield* answer(listRuns(params.tenant_id, { contactId, leadId }, { limit, cursor }))
      return { runs: found.items.map(runToJson), next_cursor: found.nextCursor }
    }),
    listTriggerRuns: Effect.fnUntraced(function* ({ params, query }) {
      const { contact_id: contactId = null, cursor = null, limit = defaultPageSize, rule_id: ruleId = null } = query
      const found = yield* answer(listTriggerRuns(params.tenant_id, { ruleId, contactId }, { limit, cursor }))
      return { trigger_runs: found.items.map(triggerRunToJson), next_cursor: found.nextCursor }
    }),
    startRule: Effect.fnUntraced(function* ({ params, payload }) {
      return triggerRunToJson(yield* answer(startRule(params.tenant_id, params.rule_id, payload.contact_id)))
    }),
    getRun: Effect.fnUntraced(function* ({ params }) {
      const tenants = yield* Tenants
      const tenant = yield* answer(tenants.get(params.tenant_id))
      return runDetailToJson(yield* answer(explainRun(tenant, params.signal_id)))
    }),
    replayRun: Effect.fnUntraced(function* ({ params, query }) {
      const tenants = yield* Tenants
      const tenant = yield* answer(tenants.get(params.tenant_id))
      const { configVersion, replay, run } = yield* answer(replayRun(tenant, params.signal_id, query.config))
      return replayToJson(run, configVersion, replay)
    })
  })
)
