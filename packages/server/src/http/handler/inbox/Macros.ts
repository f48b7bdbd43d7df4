import { Api } from "@leadloom/api/internal/Api"
import { macroChangeOf, macroOutcomeToJson, macroToJson } from "@leadloom/api/internal/inbox/Macros"
import { Macros } from "@leadloom/core/internal/port/repository/conversation/Macros"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { createMacro, deleteMacro, updateMacro } from "@leadloom/core/internal/workflow/macro/Macros"
import { runMacro } from "@leadloom/core/internal/workflow/macro/RunMacro"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** Endpoints for macros. */
export const layer = HttpApiBuilder.group(Api, "macros", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params }) {
      const all = yield* answer((yield* Macros).list(params.tenant_id))
      return { macros: all.map(macroToJson) }
    }),
    create: Effect.fnUntraced(function* ({ params, payload }) {
      return macroToJson(yield* answer(createMacro(params.tenant_id, payload)))
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      return macroToJson(yield* answer((yield* Macros).get(params.tenant_id, params.macro_id)))
    }),
    update: Effect.fnUntraced(function* ({ params, payload }) {
      return macroToJson(yield* answer(updateMacro(params.tenant_id, params.macro_id, macroChangeOf(payload))))
    }),
    delete: ({ params }) => answer(deleteMacro(params.tenant_id, params.macro_id)),
    run: Effect.fnUntraced(function* ({ params, payload }) {
      const tenant = yield* answer((yield* Tenants).get(params.tenant_id))
      const { actions, contact, macro } = yield* answer(runMacro(tenant, params.macro_id, payload.contact_id))
      return { macro_id: macro.macroId, contact_id: contact.contactId, actions: actions.map(macroOutcomeToJson) }
    })
  })
)
