import { Api } from "@leadloom/api/internal/Api"
import { customFieldToJson } from "@leadloom/api/internal/contact/Fields"
import { CustomFields } from "@leadloom/core/internal/port/repository/contact/CustomFields"
import { createField, listFields, removeField, updateField } from "@leadloom/core/internal/workflow/field/ChangeFields"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** Endpoints for the custom fields of a tenant. */
export const layer = HttpApiBuilder.group(Api, "fields", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params, query }) {
      return { fields: (yield* answer(listFields(params.tenant_id, query.entity ?? null))).map(customFieldToJson) }
    }),
    create: Effect.fnUntraced(function* ({ params, payload }) {
      return customFieldToJson(yield* answer(createField(params.tenant_id, payload)))
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      return customFieldToJson(yield* answer((yield* CustomFields).get(params.tenant_id, params.field_id)))
    }),
    update: Effect.fnUntraced(function* ({ params, payload }) {
      return customFieldToJson(yield* answer(updateField(params.tenant_id, params.field_id, payload)))
    }),
    remove: Effect.fnUntraced(function* ({ params }) {
      return customFieldToJson(yield* answer(removeField(params.tenant_id, params.field_id)))
    })
  })
)
