import { Api } from "@leadloom/api/internal/Api"
import type * as Wire from "@leadloom/api/internal/admin/Usage"
import { readUsage, setUsage, type UsageChange, type UsageReport } from "@leadloom/core/internal/workflow/billing/Usage"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

const toJson = ({ caps, counts, month, plan, tenantId }: UsageReport): typeof Wire.Usage.Type => ({
  tenant_id: tenantId,
  plan,
  month,
  actions: { used: counts.actions, cap: caps.actions },
  ai_calls: { used: counts.ai_calls, cap: caps.ai_calls },
  ai_tokens: { input: counts.ai_input_tokens, output: counts.ai_output_tokens }
})

const changeOf = ({ actions, ai_calls, ai_tokens }: typeof Wire.SetUsage.Type): UsageChange => ({
  counts: {
    ...(actions?.used === undefined ? {} : { actions: actions.used }),
    ...(ai_calls?.used === undefined ? {} : { ai_calls: ai_calls.used }),
    ...(ai_tokens?.input === undefined ? {} : { ai_input_tokens: ai_tokens.input }),
    ...(ai_tokens?.output === undefined ? {} : { ai_output_tokens: ai_tokens.output })
  },
  capOverrides: {
    ...(actions?.cap === undefined ? {} : { actions: actions.cap }),
    ...(ai_calls?.cap === undefined ? {} : { ai_calls: ai_calls.cap })
  }
})

/** Endpoints for the usage of plans. */
export const layer = HttpApiBuilder.group(Api, "usage", (handlers) =>
  handlers.handleAll({
    get: Effect.fnUntraced(function* ({ params, query }) {
      return toJson(yield* answer(readUsage(params.tenant_id, query.month ?? null)))
    }),
    set: Effect.fnUntraced(function* ({ params, payload, query }) {
      return toJson(yield* answer(setUsage(params.tenant_id, query.month ?? null, changeOf(payload))))
    })
  })
)
