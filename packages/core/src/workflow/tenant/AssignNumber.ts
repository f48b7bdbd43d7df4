import { Clock, Effect } from "effect"
import { recordAuditChange } from "../access/Audited.ts"
import { IdentityInvalid } from "../../domain/contact/Contact.ts"
import { parsePhoneMemoized } from "../../domain/address/Phone.ts"
import { PhoneNumbers } from "../../port/repository/contact/PhoneNumbers.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { type PhoneNumber, PhoneNumberNotFound, PhoneNumberTaken } from "../../domain/address/PhoneNumber.ts"

/** What a client says is a number, in E.164; one without its country is none where no country is given. */
export const requirePhone = Effect.fnUntraced(function* (text: string, defaultCountry: string | null = null) {
  const phone = parsePhoneMemoized(text, defaultCountry)
  const reason = "This is not a phone number. Write it with its country code, for example +15550100001."
  return phone ?? (yield* new IdentityInvalid({ field: "phone", reason }))
})

/**
 * Lends a number of the operator's account to a tenant; what it has already stays, except which one is its default.
 * Another tenant's number has to be taken from it first.
 */
export const assignNumber = Effect.fn("assignNumber")(function* (tenantId: string, text: string, isDefault: boolean) {
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
})

/** Takes a number from the tenant that has it: what comes there is nobody's from now on. */
export const releaseNumber = Effect.fn("releaseNumber")(function* (text: string) {
  const phone = yield* requirePhone(text)
  const numbers = yield* PhoneNumbers
  const holder = yield* numbers.find(phone)
  if (holder === null) return yield* new PhoneNumberNotFound({ phone })
  const release = Effect.gen(function* () {
    if (!(yield* numbers.remove(holder.tenantId, phone))) return yield* new PhoneNumberNotFound({ phone })
    yield* recordAuditChange({ before: { phone, default: holder.isDefault }, after: null })
  })
  yield* (yield* Transactions).atomically(holder.tenantId, release)
})

/** A page of the numbers of all tenants, in the order of the numbers. */
export const listNumbers = Effect.fn("listNumbers")(function* (page: PageRequest) {
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
})
