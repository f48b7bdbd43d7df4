import { Api } from "@leadloom/api/Api"
import { dryRun } from "@leadloom/core/pipeline/DryRun"
import { handleRequest } from "@leadloom/core/pipeline/HandleRequest"
import { readRun } from "@leadloom/core/pipeline/ReadRun"
import { Tenants } from "@leadloom/core/port/Tenants"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "./errors.ts"
import { requestFromJson, resultToJson, runToJson } from "./PipelineJson.ts"

/** The full pipeline, its dry run and its stored runs. */
export const layer = HttpApiBuilder.group(Api, "pipeline", (handlers) =>
  handlers.handleAll({
    run: Effect.fnUntraced(function* ({ headers, params, payload }) {
      const tenants = yield* Tenants
      const tenant = yield* answer(tenants.get(params.tenant_id))
      const request = requestFromJson(payload, headers["idempotency-key"])
      const { result, signalId } = yield* answer(handleRequest({ tenant, request }))
      return resultToJson(signalId, result)
    }),
    dryRun: Effect.fnUntraced(function* ({ params, payload }) {
      const tenants = yield* Tenants
      const tenant = yield* answer(tenants.get(params.tenant_id))
      const { result, signalId } = yield* answer(dryRun({ tenant, request: requestFromJson(payload) }))
      return resultToJson(signalId, result)
    }),
    getRun: Effect.fnUntraced(function* ({ params }) {
      return runToJson(yield* answer(readRun(params.tenant_id, params.signal_id)))
    })
  })
)
