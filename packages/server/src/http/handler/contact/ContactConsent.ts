import { Api } from "@leadloom/api/internal/Api"
import { Principal } from "@leadloom/api/internal/Access"
import type * as Wire from "@leadloom/api/internal/contact/ContactConsent"
import { isoTime } from "@leadloom/api/internal/schema/Field"
import { principalName } from "@leadloom/core/internal/domain/access/Principal"
import type { ConsentChange, OptOut } from "@leadloom/core/internal/domain/consent/OptOut"
import { audited } from "@leadloom/core/internal/workflow/access/Audited"
import { type IdentityConsent, readConsent } from "@leadloom/core/internal/workflow/consent/ReadConsent"
import { recordConsent } from "@leadloom/core/internal/workflow/consent/RecordConsent"
import { recordTrackingConsent } from "@leadloom/core/internal/workflow/consent/RecordTracking"
import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"
import { requireRight } from "../../middleware/Authorization.ts"
import { CurrentRequestId } from "../../middleware/RequestId.ts"

type Consent = (typeof Wire.ContactConsent.Type)["consents"][number]

const changeToJson = ({ at, evidence, optedOut, source }: ConsentChange) => ({
  status: optedOut ? ("opted_out" as const) : ("opted_in" as const),
  source,
  at: isoTime(at),
  proof: evidence === undefined || evidence === null || evidence.proof === "" ? null : evidence.proof,
  recorded_by: evidence?.recordedBy ?? null
})

const recordToJson = (optOut: OptOut): Consent["records"][number] => ({
  ...changeToJson(optOut),
  own_number: optOut.ownPhone === "" ? null : optOut.ownPhone,
  history: optOut.history.map(changeToJson)
})

const consentToJson = ({
  identity: { identity, identityId },
  needsManager,
  records,
  status,
  tracking
}: IdentityConsent): Consent => ({
  identity_id: identityId,
  kind: identity.kind === "email" ? "email" : "phone",
  value: identity.value,
  channels: identity.kind === "email" ? ["email"] : ["sms", "voice"],
  status,
  needs_manager: needsManager,
  records: records.map(recordToJson),
  tracking: tracking === null ? null : { ...changeToJson(tracking), history: tracking.history.map(changeToJson) }
})

/** The action for the audit trail. Every recorded consent is audited, because the law requires its proof. */
const actionOf = Effect.fnUntraced(function* (contactId: string, identityId: string) {
  const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
  return {
    actor: principalName(yield* Principal),
    action: "contactConsent.record",
    target: { contact_id: contactId, identity_id: identityId },
    address: Option.getOrNull(remoteAddress),
    requestId: yield* CurrentRequestId
  }
})

/** Endpoints for the consent of contacts. */
export const layer = HttpApiBuilder.group(Api, "contactConsent", (handlers) =>
  handlers.handleAll({
    get: Effect.fnUntraced(function* ({ params }) {
      return { consents: (yield* answer(readConsent(params.tenant_id, params.contact_id))).map(consentToJson) }
    }),
    record: Effect.fnUntraced(function* ({ params, payload }) {
      const { contact_id, tenant_id } = params
      const acting = yield* actionOf(contact_id, payload.identity_id)
      const record = payload.purpose === "tracking" ? recordTrackingConsent : recordConsent
      const recorded = record(tenant_id, contact_id, {
        identityId: payload.identity_id,
        optedOut: payload.status === "opted_out",
        source: payload.source ?? "person",
        proof: payload.proof ?? null,
        recordedBy: acting.actor,
        isManager: yield* Effect.isSuccess(requireRight(yield* Principal, "manage", tenant_id))
      })
      return { consents: (yield* answer(audited(acting, tenant_id, recorded))).map(consentToJson) }
    })
  })
)
