import { grantToJson } from "@leadloom/api/internal/inbox/Email"
import { Principal } from "@leadloom/api/internal/Access"
import { Api } from "@leadloom/api/internal/Api"
import type * as Wire from "@leadloom/api/internal/inbox/Email"
import { isoTime } from "@leadloom/api/internal/schema/Field"
import { principalName } from "@leadloom/core/internal/domain/access/Principal"
import type { Address } from "@leadloom/core/internal/domain/address/Address"
import { connectEmail } from "@leadloom/core/internal/workflow/mailbox/ConnectEmail"
import { disconnect } from "@leadloom/core/internal/workflow/mailbox/Disconnect"
import { finishSignIn } from "@leadloom/core/internal/workflow/mailbox/FinishSignIn"
import { startSignIn } from "@leadloom/core/internal/workflow/mailbox/StartSignIn"
import {
  connectedGrant,
  readGrant,
  updateAliases,
  updateSignature
} from "@leadloom/core/internal/workflow/mailbox/Grants"
import { sendEmail, type SendRequest } from "@leadloom/core/internal/workflow/sending/SendEmail"
import { Grants } from "@leadloom/core/internal/port/repository/conversation/Grants"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { isOperator, requireRight } from "../../middleware/Authorization.ts"
import { answer } from "../../error/errors.ts"
import { receiptOf, sendWithOverride } from "../../middleware/Overrides.ts"
import { idempotencyKeyOf, setSendHeaders } from "../../middleware/SendAnswer.ts"

const addressOf = ({ email, name }: typeof Wire.Recipient.Type): Address => ({ email, name: name ?? null })

const requestOf = (json: typeof Wire.EmailToSend.Type): SendRequest => ({
  to: json.to.map(addressOf),
  cc: (json.cc ?? []).map(addressOf),
  bcc: (json.bcc ?? []).map(addressOf),
  subject: json.subject ?? null,
  body: json.body,
  from: json.from === undefined ? null : addressOf(json.from),
  replyToMessageId: json.reply_to_message_id ?? null
})

const tenantOf = (tenantId: string) => Effect.flatMap(Tenants, (tenants) => answer(tenants.get(tenantId)))

/** Endpoints for a tenant's connected email account and its mail. */
export const layer = HttpApiBuilder.group(Api, "email", (handlers) =>
  handlers.handleAll({
    send: Effect.fnUntraced(function* ({ headers, params, payload }) {
      const tenant = yield* tenantOf(params.tenant_id)
      const idempotencyKey = yield* idempotencyKeyOf(headers)
      const { override: reasons = [] } = payload
      const request = requestOf(payload)
      const requested = { tenantId: tenant.tenantId, action: "email.send", target: {}, reasons }
      const sent = yield* sendWithOverride(requested, (override) =>
        answer(setSendHeaders(sendEmail({ tenant, request, idempotencyKey, override })))
      )
      const { messageId, overridden, threadId } = sent
      return { success: true as const, message_id: messageId, thread_id: threadId, ...receiptOf(overridden) }
    }),
    getAliases: Effect.fnUntraced(function* ({ params }) {
      const grant = yield* answer(connectedGrant(params.tenant_id))
      return { grant_email: grant.email, aliases: grant.aliases }
    }),
    updateAliases: Effect.fnUntraced(function* ({ params, payload }) {
      const tenant = yield* tenantOf(params.tenant_id)
      const byOperator = isOperator(yield* Principal, tenant.tenantId)
      const { aliases } = yield* answer(updateAliases(tenant, payload.aliases, byOperator))
      return { aliases }
    }),
    updateSignature: Effect.fnUntraced(function* ({ params, payload }) {
      const tenant = yield* tenantOf(params.tenant_id)
      yield* answer(updateSignature(tenant, payload.signature))
      return { success: true as const }
    }),
    connect: Effect.fnUntraced(function* ({ params: { tenant_id }, payload }) {
      const { email, name = null, provider, provider_grant_id: providerGrantId = null } = payload
      // Only the operator may pass a grant id: it gives access to a mailbox, and only the operator knows its owner.
      if (providerGrantId !== null) yield* requireRight(yield* Principal, "provision", tenant_id)
      const byOperator = isOperator(yield* Principal, tenant_id)
      const account = { provider, email, name, providerGrantId, byOperator }
      return grantToJson(yield* answer(connectEmail(tenant_id, account)))
    }),
    listGrants: Effect.fnUntraced(function* ({ params }) {
      const grants = yield* Grants
      const grant = yield* answer(grants.current(params.tenant_id))
      return { grants: grant === null ? [] : [grantToJson(grant)] }
    }),
    getGrant: Effect.fnUntraced(function* ({ params }) {
      return grantToJson(yield* answer(readGrant(params.tenant_id, params.grant_id)))
    }),
    disconnect: Effect.fnUntraced(function* ({ params }) {
      yield* answer(disconnect(params.tenant_id, params.grant_id))
    }),
    authUrl: Effect.fnUntraced(function* ({ params, query }) {
      const principal = principalName(yield* Principal)
      const { expiresAt, url } = yield* answer(startSignIn(params.tenant_id, principal, query.provider ?? null))
      return { url, expires_at: isoTime(expiresAt) }
    }),
    callback: Effect.fnUntraced(function* ({ params, payload: { code, state } }) {
      const principal = principalName(yield* Principal)
      const finished = finishSignIn({ tenantId: params.tenant_id, principal, code, state })
      return grantToJson((yield* answer(finished)).grant)
    })
  })
)
