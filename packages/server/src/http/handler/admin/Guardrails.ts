import { recordToJson } from "@leadloom/api/internal/admin/Guardrails"
import { Principal } from "@leadloom/api/internal/Access"
import { Api } from "@leadloom/api/internal/Api"
import { principalName } from "@leadloom/core/internal/domain/access/Principal"
import type { GuardRecord } from "@leadloom/core/internal/domain/guardrail/GuardRecord"
import { guardStats, type GuardStats } from "@leadloom/core/internal/workflow/pipeline/GuardStats"
import type { GuardOutcome } from "@leadloom/core/internal/domain/guardrail/Guardrail"
import {
  exportGuardEvaluations,
  listGuardEvaluations
} from "@leadloom/core/internal/workflow/pipeline/ListGuardEvaluations"
import { updateGuardrails } from "@leadloom/core/internal/workflow/pipeline/UpdateGuardrails"
import type { GuardFilter } from "@leadloom/core/internal/port/repository/pipeline/GuardEvaluations"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { csvLine } from "../../json/Csv.ts"
import { disposition } from "../../stream/Download.ts"
import { answer } from "../../error/errors.ts"
import { setETag, versionsOf } from "../../middleware/ETag.ts"
import { log } from "../../../LogEvents.ts"

/** The default number of entries per page, and the default number of days of statistics. */
const defaultPageSize = 50
const defaultDays = 30

const columns = [
  ...(["id", "created_at", "guardrail_id", "kind", "outcome", "reason"] as const),
  ...(["stage", "signal_id", "message_id", "contact_id"] as const)
]

interface Requested {
  readonly guardrail_id?: string
  readonly outcome?: GuardOutcome
  readonly contact_id?: string
}

const filterOf = (requested: Requested): GuardFilter => ({
  guardrailId: requested.guardrail_id ?? null,
  outcome: requested.outcome ?? null,
  contactId: requested.contact_id ?? null
})

/** Encodes records as pieces of one JSON array. */
const asJson = <E, R>(records: Stream.Stream<GuardRecord, E, R>) =>
  Stream.make("[").pipe(
    Stream.concat(
      Stream.map(
        Stream.zipWithIndex(records),
        ([one, index]) => `${index === 0 ? "" : ","}\n${JSON.stringify(recordToJson(one))}`
      )
    ),
    Stream.concat(Stream.make("\n]\n"))
  )

const asCsv = <E, R>(records: Stream.Stream<GuardRecord, E, R>) =>
  Stream.make(csvLine(columns)).pipe(
    Stream.concat(
      Stream.map(records, (record) => {
        const json = recordToJson(record)
        return csvLine(columns.map((column) => json[column]))
      })
    )
  )

const send = Effect.fnUntraced(function* (tenantId: string, format: "json" | "csv", filter: GuardFilter) {
  const records = yield* exportGuardEvaluations(tenantId, filter)
  const text = format === "csv" ? asCsv(records) : asJson(records)
  const body = Stream.tapError(Stream.encodeText(text), ({ _tag, reason }) =>
    log("export.incomplete", { tenant: tenantId, contact: null, detail: _tag, reason })
  )
  return HttpServerResponse.stream(body, {
    contentType: format === "csv" ? "text/csv; charset=utf-8; header=present" : "application/json",
    headers: {
      "content-disposition": disposition(`guardrails-${tenantId}.${format}`),
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store"
    }
  })
})

const statsToJson = ({ from, guardrails, outcomes, to }: GuardStats) => ({
  from,
  to,
  evaluations: outcomes.allow + outcomes.require_approval + outcomes.block,
  outcomes,
  guardrails: guardrails.map(({ guardrailId, kind, outcomes: own }) => ({
    guardrail_id: guardrailId,
    kind,
    outcomes: own
  }))
})

/** Endpoints for guardrails of written replies. */
export const layer = HttpApiBuilder.group(Api, "guardrails", (handlers) =>
  handlers.handleAll({
    active: Effect.fnUntraced(function* ({ params: { tenant_id } }) {
      const tenants = yield* Tenants
      const { config, configVersion } = yield* answer(tenants.get(tenant_id))
      yield* setETag(configVersion)
      return {
        tenant_id,
        version: configVersion,
        guardrails: config.guardrails.filter(({ enabled }) => enabled !== false)
      }
    }),
    audit: Effect.fnUntraced(function* ({ params, query: { cursor = null, limit = defaultPageSize, ...requested } }) {
      const page = yield* answer(listGuardEvaluations(params.tenant_id, filterOf(requested), { limit, cursor }))
      return { evaluations: page.items.map(recordToJson), next_cursor: page.nextCursor }
    }),
    stats: Effect.fnUntraced(function* ({ params, query }) {
      return statsToJson(yield* answer(guardStats(params.tenant_id, query.days ?? defaultDays)))
    }),
    export: ({ params, query: { format = "json", ...requested } }) =>
      answer(send(params.tenant_id, format, filterOf(requested))),
    update: Effect.fnUntraced(function* ({ headers, params: { tenant_id }, payload }) {
      const { disable = [], enable = [], guardrails = null, remove = [], upsert = [] } = payload
      const edit = { changedBy: principalName(yield* Principal), versions: yield* versionsOf(headers["if-match"]) }
      const change = { guardrails, upsert, remove, enable, disable }
      const { config, configVersion } = yield* answer(updateGuardrails(tenant_id, change, edit))
      yield* setETag(configVersion)
      return { tenant_id, version: configVersion, guardrails: config.guardrails }
    })
  })
)
