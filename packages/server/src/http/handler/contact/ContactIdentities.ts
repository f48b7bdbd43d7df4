import { Api } from "@leadloom/api/internal/Api"
import type * as Wire from "@leadloom/api/internal/contact/ContactIdentities"
import { isoTime } from "@leadloom/api/internal/schema/Field"
import { orNull } from "@leadloom/api/internal/schema/Wire"
import { addIdentity, removeIdentity, updateIdentity } from "@leadloom/core/internal/workflow/contact/ChangeIdentities"
import { type ContactIdentity, listIdentities } from "@leadloom/core/internal/workflow/contact/ReadIdentities"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** Encodes an identity of a contact. */
export const identityToJson = (of: ContactIdentity): typeof Wire.ContactIdentity.Type => ({
  id: of.identityId,
  kind: of.identity.kind,
  value: of.identity.value,
  source: of.identity.source ?? null,
  label: of.label,
  primary: of.primary,
  verified: of.verifiedAt !== null,
  verified_at: orNull(of.verifiedAt, isoTime),
  undeliverable: of.undeliverable,
  created_at: isoTime(of.createdAt)
})

const list = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  return { identities: (yield* answer(listIdentities(tenantId, contactId))).map(identityToJson) }
})

/** Endpoints for the addresses, numbers and external ids of a contact. */
export const layer = HttpApiBuilder.group(Api, "contactIdentities", (handlers) =>
  handlers.handleAll({
    list: ({ params }) => list(params.tenant_id, params.contact_id),
    add: Effect.fnUntraced(function* ({ params, payload }) {
      return identityToJson(yield* answer(addIdentity(params.tenant_id, params.contact_id, payload)))
    }),
    update: Effect.fnUntraced(function* ({ params, payload }) {
      const { contact_id, identity_id, tenant_id } = params
      return identityToJson(yield* answer(updateIdentity(tenant_id, contact_id, identity_id, payload)))
    }),
    remove: Effect.fnUntraced(function* ({ params }) {
      yield* answer(removeIdentity(params.tenant_id, params.contact_id, params.identity_id))
      return yield* list(params.tenant_id, params.contact_id)
    })
  })
)
