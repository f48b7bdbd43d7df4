import { Clock, Effect } from "effect"
import { checkAliases } from "../../domain/email/Alias.ts"
import { EmailNotConnected, EmailRequestInvalid, type Grant, GrantNotFound } from "../../domain/email/Grant.ts"
import { isHtml, signatureLimit } from "../../domain/email/InsertSignature.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { HtmlRenderer } from "../../port/provider/MailParser.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { withSpan } from "../WithSpan.ts"

/** Returns the connected account with this id. */
export const readGrant = Effect.fnUntraced(function* (tenantId: string, grantId: string) {
  return (yield* (yield* Grants).find(tenantId, grantId)) ?? (yield* new GrantNotFound({ grantId }))
}, withSpan("readGrant"))

/**
 * Returns the account with this id, or the default account if `grantId` is null. Fails with `EmailNotConnected` when no
 * account is connected.
 */
export const selectGrant = Effect.fnUntraced(function* (tenantId: string, grantId: string | null) {
  if (grantId !== null) return yield* readGrant(tenantId, grantId)
  return (yield* (yield* Grants).current(tenantId)) ?? (yield* new EmailNotConnected({ tenantId }))
})

/**
 * Returns whether an account owns its mailbox. In an older database, two tenants may have connected the same mailbox.
 */
export const ownsMailbox = ({ email, tenantId }: Grant) =>
  Effect.flatMap(Grants, (grants) => Effect.map(grants.holder(email), (holder) => holder === tenantId))

/** Returns the fields of an account that the audit trail records. */
export const auditedGrant = ({ aliases, email, grantId, provider, signature, status }: Grant) => ({
  grant_id: grantId,
  provider,
  email,
  status,
  aliases,
  signature
})

/**
 * Changes an account in one unit of work. Null selects the default account. `changes` computes the new values, and
 * `write` selects the method that stores them.
 */
const change = Effect.fnUntraced(function* (
  tenantId: string,
  grantId: string | null,
  changes: (grant: Grant) => Effect.Effect<Partial<Grant>, EmailRequestInvalid>,
  write: "update" | "setAliases"
) {
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* selectGrant(tenantId, grantId)
      const after: Grant = { ...before, ...(yield* changes(before)), updatedAt: yield* Clock.currentTimeMillis }
      yield* (yield* Grants)[write](after)
      yield* recordAuditChange({ before: auditedGrant(before), after: auditedGrant(after) })
      return after
    })
  )
})

/** Replaces the aliases of an account. Null selects the default account. */
export const updateAliases = Effect.fnUntraced(function* (
  tenant: Tenant,
  given: ReadonlyArray<string>,
  byOperator = false,
  grantId: string | null = null
) {
  const { domain: tenantDomain, tenantId } = tenant
  const checkedFor = ({ aliases, email }: Grant) => {
    const checked = checkAliases(given, { accountEmail: email, aliases, tenantDomain, byOperator })
    if (checked.ok) return Effect.succeed({ aliases: checked.aliases })
    const issues = checked.issues.map(({ index, message }) => ({ path: `aliases.${index}`, message }))
    return Effect.fail(new EmailRequestInvalid({ issues }))
  }
  return yield* change(tenantId, grantId, checkedFor, "setAliases")
}, withSpan("updateAliases"))

/**
 * Replaces the signature of an account. Null selects the default account. HTML is sanitised. An empty signature removes
 * the current one.
 */
export const updateSignature = Effect.fnUntraced(function* (
  tenant: Tenant,
  signature: string,
  grantId: string | null = null
) {
  const { sanitizeOwn } = yield* HtmlRenderer
  if (signature.length > signatureLimit) {
    const issue = {
      path: "signature",
      message: `The signature is too long. Send at most ${signatureLimit} characters.`
    }
    return yield* new EmailRequestInvalid({ issues: [issue] })
  }
  const safe = isHtml(signature) ? sanitizeOwn(signature) : signature.trim()
  const changes = { signature: safe === "" ? null : safe }
  return yield* change(tenant.tenantId, grantId, () => Effect.succeed(changes), "update")
}, withSpan("updateSignature"))
