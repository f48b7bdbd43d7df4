import { type EmailAccount, grantToJson } from "@leadloom/api/internal/inbox/EmailAccount"
import { mailboxStateToJson } from "@leadloom/api/internal/inbox/MailboxState"
import { Principal } from "@leadloom/api/internal/Access"
import { Api } from "@leadloom/api/internal/Api"
import type * as Wire from "@leadloom/api/internal/inbox/Email"
import { isoTime } from "@leadloom/api/internal/schema/Field"
import type { Grant } from "@leadloom/core/internal/domain/email/Grant"
import { principalName } from "@leadloom/core/internal/domain/access/Principal"
import { AccountLimit } from "@leadloom/core/internal/domain/email/Accounts"
import type { SendOverride } from "@leadloom/core/internal/domain/consent/Override"
import type { Tenant } from "@leadloom/core/internal/domain/tenant/Tenant"
import { scheduleEmail } from "@leadloom/core/internal/workflow/schedule/ScheduleMessage"
import { connectEmail } from "@leadloom/core/internal/workflow/mailbox/ConnectEmail"
import { connectMailbox } from "@leadloom/core/internal/workflow/mailbox/ConnectMailbox"
import { discoverMailServers } from "@leadloom/core/internal/workflow/mailbox/DiscoverMailServers"
import { disconnect } from "@leadloom/core/internal/workflow/mailbox/Disconnect"
import { finishSignIn } from "@leadloom/core/internal/workflow/mailbox/FinishSignIn"
import { startSignIn } from "@leadloom/core/internal/workflow/mailbox/StartSignIn"
import { readGrant, selectGrant, updateAliases, updateSignature } from "@leadloom/core/internal/workflow/mailbox/Grants"
import { setDefaultAccount } from "@leadloom/core/internal/workflow/mailbox/Accounts"
import { sendEmail, type SendRequest } from "@leadloom/core/internal/workflow/sending/SendEmail"
import { OAuthProviders } from "@leadloom/core/internal/port/provider/OAuthProviders"
import { Grants } from "@leadloom/core/internal/port/repository/conversation/Grants"
import { MailboxSyncs } from "@leadloom/core/internal/port/repository/conversation/MailboxSyncs"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { mailboxReturnPath } from "../../ConsolePaths.ts"
import { isOperator, requireRight } from "../../middleware/Authorization.ts"
import { answer } from "../../error/errors.ts"
import { mailboxOfJson, rejectMailboxFields } from "../../json/MailboxJson.ts"
import { setAttemptHeaders } from "../../middleware/RateHeaders.ts"
import { optionsOf, scheduleOf } from "../../json/CompositionJson.ts"
import { receiptOf, sendWithOverride } from "../../middleware/Overrides.ts"
import { idempotencyKeyOf, laterAnswer, laterReceiptOf, setSendHeaders } from "../../middleware/SendAnswer.ts"

const requestOf = (json: typeof Wire.EmailToSend.Type) =>
  Effect.map(optionsOf(json), (options): SendRequest => ({
    to: [],
    cc: [],
    bcc: [],
    subject: null,
    from: null,
    replyToMessageId: null,
    ...options,
    body: json.body
  }))

/** Sends an email, or schedules it. */
const sendOrSchedule = Effect.fnUntraced(function* (
  tenant: Tenant,
  payload: typeof Wire.EmailToSend.Type,
  idempotencyKey: string | null,
  override: SendOverride | null
) {
  const request = yield* requestOf(payload)
  const schedule = scheduleOf(payload)
  if (schedule === null) return yield* answer(setSendHeaders(sendEmail({ tenant, request, idempotencyKey, override })))
  const createdBy = principalName(yield* Principal)
  return yield* laterAnswer(answer(scheduleEmail({ tenant, request, schedule, createdBy, idempotencyKey, override })))
})

/** Returns an account as JSON, with the state of its sync if the server reads its mailbox. */
const grantJson = Effect.fnUntraced(function* (grant: Grant) {
  const { grantId, tenantId } = grant
  const syncs = yield* MailboxSyncs
  const sync = yield* answer(syncs.find(tenantId, grantId))
  if (sync === null) return grantToJson(grant)
  const folders = yield* answer(syncs.folders(tenantId, grantId))
  return { ...grantToJson(grant), ...mailboxStateToJson(sync, folders, yield* Clock.currentTimeMillis) }
})

/** The providers whose redirect leads to the console. Another redirect leads to a page of the operator. */
const consoleSignIn = Effect.map(OAuthProviders, ({ providers, redirectUriOf }) =>
  providers.filter((provider) => {
    const uri = redirectUriOf(provider)
    return uri !== null && URL.parse(uri)?.pathname === mailboxReturnPath
  })
)

const grantListJson = (grants: ReadonlyArray<Grant>) =>
  Effect.gen(function* () {
    const limit = yield* AccountLimit
    const providers = yield* consoleSignIn
    return {
      grants: yield* Effect.forEach(grants, grantJson),
      ...(limit > 1 ? { limit } : {}),
      ...(providers.length > 0 ? { console_sign_in: providers } : {})
    }
  })

const addressesJson = ({ aliases, email }: Grant) => ({ grant_email: email, aliases })

/** Returns the addresses of an account. If the tenant has several accounts, also those of all accounts. */
const senderAddressesJson = Effect.fnUntraced(function* (tenantId: string, grantId: string | null) {
  const selected = addressesJson(yield* answer(selectGrant(tenantId, grantId)))
  const accounts = yield* answer((yield* Grants).list(tenantId))
  if (accounts.length < 2) return selected
  return { ...selected, accounts: accounts.map((grant) => ({ grant_id: grant.grantId, ...addressesJson(grant) })) }
})

const tenantOf = (tenantId: string) => Effect.flatMap(Tenants, (tenants) => answer(tenants.get(tenantId)))

/** Connects a mailbox with its password, the operator's relay, or a grant that the provider already has. */
const connectAccount = Effect.fnUntraced(function* (tenantId: string, payload: typeof EmailAccount.Type) {
  const { email, name = null, provider, provider_grant_id: providerGrantId = null } = payload
  const principal = yield* Principal
  const byOperator = isOperator(principal, tenantId)
  if (provider === "imap") {
    const request = yield* mailboxOfJson(payload, byOperator)
    return yield* answer(setAttemptHeaders(connectMailbox(tenantId, request)))
  }
  yield* rejectMailboxFields(payload)
  // Only the operator may pass a grant id: it gives access to a mailbox, and only the operator knows its owner.
  if (providerGrantId !== null) yield* requireRight(principal, "provision", tenantId)
  return yield* answer(connectEmail(tenantId, { provider, email, name, providerGrantId, byOperator }))
})

/** Endpoints for a tenant's connected email accounts and their mail. */
export const layer = HttpApiBuilder.group(Api, "email", (handlers) =>
  handlers.handleAll({
    send: Effect.fnUntraced(function* ({ headers, params, payload }) {
      const tenant = yield* tenantOf(params.tenant_id)
      const idempotencyKey = yield* idempotencyKeyOf(headers)
      const { override: reasons = [] } = payload
      const requested = { tenantId: tenant.tenantId, action: "email.send", target: {}, reasons }
      const sent = yield* sendWithOverride(requested, (override) =>
        sendOrSchedule(tenant, payload, idempotencyKey, override)
      )
      const { messageId, overridden, threadId } = sent
      const ids = { message_id: messageId, thread_id: threadId }
      return { success: true as const, ...ids, ...laterReceiptOf(sent), ...receiptOf(overridden) }
    }),
    getAliases: Effect.fnUntraced(function* ({ params: { tenant_id }, query }) {
      return yield* senderAddressesJson(tenant_id, query.grant_id ?? null)
    }),
    updateAliases: Effect.fnUntraced(function* ({ params, payload }) {
      const tenant = yield* tenantOf(params.tenant_id)
      const byOperator = isOperator(yield* Principal, tenant.tenantId)
      const { aliases } = yield* answer(updateAliases(tenant, payload.aliases, byOperator, payload.grant_id))
      return { aliases }
    }),
    updateSignature: Effect.fnUntraced(function* ({ params, payload }) {
      const tenant = yield* tenantOf(params.tenant_id)
      yield* answer(updateSignature(tenant, payload.signature, payload.grant_id))
      return { success: true as const }
    }),
    connect: Effect.fnUntraced(function* ({ params: { tenant_id }, payload }) {
      return grantToJson(yield* connectAccount(tenant_id, payload))
    }),
    autoconfig: Effect.fnUntraced(function* ({ params: { tenant_id }, query }) {
      const { signIn, ...found } = yield* answer(setAttemptHeaders(discoverMailServers(tenant_id, query.email)))
      return { ...found, ...(signIn === null ? {} : { sign_in: signIn }) }
    }),
    listGrants: Effect.fnUntraced(function* ({ params }) {
      return yield* grantListJson(yield* answer((yield* Grants).list(params.tenant_id)))
    }),
    getGrant: Effect.fnUntraced(function* ({ params }) {
      return yield* grantJson(yield* answer(readGrant(params.tenant_id, params.grant_id)))
    }),
    setDefaultGrant: Effect.fnUntraced(function* ({ params, payload }) {
      return yield* grantListJson(yield* answer(setDefaultAccount(params.tenant_id, payload.grant_id)))
    }),
    disconnect: Effect.fnUntraced(function* ({ params }) {
      yield* answer(disconnect(params.tenant_id, params.grant_id))
    }),
    authUrl: Effect.fnUntraced(function* ({ params, query }) {
      const principal = principalName(yield* Principal)
      const { expiresAt, url } = yield* answer(
        setAttemptHeaders(startSignIn(params.tenant_id, principal, query.provider ?? null))
      )
      return { url, expires_at: isoTime(expiresAt) }
    }),
    callback: Effect.fnUntraced(function* ({ params, payload: { code, state } }) {
      const principal = principalName(yield* Principal)
      const finished = finishSignIn({ tenantId: params.tenant_id, principal, code, state })
      return grantToJson((yield* answer(finished)).grant)
    })
  })
)
