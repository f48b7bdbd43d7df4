import { Clock, Effect } from "effect"
import { recordAuditChange } from "../access/Audited.ts"
import { IdentityInvalid } from "../../domain/contact/Contact.ts"
import { parsePhoneMemoized } from "../../domain/address/Phone.ts"
import { PhoneNumbers } from "../../port/repository/contact/PhoneNumbers.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { type PhoneNumber, PhoneNumberNotFound, PhoneNumberTaken } from "../../domain/address/PhoneNumber.ts"
import { withSpan } from "../WithSpan.ts"

/** Parses a phone number to E.164. Without `defaultCountry`, the number must contain a country code. */
export const requirePhone = Effect.fnUntraced(function* (text: string, defaultCountry: string | null = null) {
  const phone = parsePhoneMemoized(text, defaultCountry)
  const reason = "Invalid phone number. Send it with its country code, for example +15550100001."
  return phone ?? (yield* new IdentityInvalid({ field: "phone", reason }))
})

/**
 * Assigns a number of the operator's provider account to a tenant. The tenant keeps its other numbers. If `isDefault`
 * is true, this number becomes the default number. Fails with `PhoneNumberTaken` as long as the number is assigned to
 * another tenant.
 */
export const assignNumber = Effect.fnUntraced(function* (tenantId: string, text: string, isDefault: boolean) {
  yield* (yield* Tenants).get(tenantId)
  const phone = yield* requirePhone(text)
  const createdAt = yield* Clock.currentTimeMillis
  const numbers = yield* PhoneNumbers
  const assign = Effect.gen(function* () {
    yield* numbers.add({ phone, tenantId, isDefault: false, createdAt })
    const holder = yield* numbers.find(phone)
    if (holder === null) return yield* new PhoneNumberNotFound({ phone })
    if (holder.tenantId !== tenantId) return yield* new PhoneNumberTaken({ phone, tenantId: holder.tenantId })
    if (isDefault) yield* numbers.makeDefault(tenantId, phone)
    yield* recordAuditChange({ before: null, after: { phone, default: isDefault || holder.isDefault } })
    return { ...holder, isDefault: isDefault || holder.isDefault }
  })
  return yield* (yield* Transactions).atomically(tenantId, assign)
}, withSpan("assignNumber"))

/** Releases a number from its tenant. Later messages and calls to the number belong to no tenant. */
export const releaseNumber = Effect.fnUntraced(function* (text: string) {
  const phone = yield* requirePhone(text)
  const numbers = yield* PhoneNumbers
  const holder = yield* numbers.find(phone)
  if (holder === null) return yield* new PhoneNumberNotFound({ phone })
  const release = Effect.gen(function* () {
    if (!(yield* numbers.remove(holder.tenantId, phone))) return yield* new PhoneNumberNotFound({ phone })
    yield* recordAuditChange({ before: { phone, default: holder.isDefault }, after: null })
  })
  yield* (yield* Transactions).atomically(holder.tenantId, release)
}, withSpan("releaseNumber"))

/** Returns a page of the numbers of all tenants, ordered by number. */
export const listNumbers = Effect.fnUntraced(function* (page: PageRequest) {
  const numbers = yield* PhoneNumbers
  return yield* readPage(
    {
      scope: { tenantId: "", list: "phone_numbers" },
      keyOf: ({ phone }: PhoneNumber) => [phone],
      readKey: ([phone]) => (typeof phone === "string" ? phone : null),
      fetch: (limit, after) => numbers.page(limit, after)
    },
    page
  )
}, withSpan("listNumbers"))
