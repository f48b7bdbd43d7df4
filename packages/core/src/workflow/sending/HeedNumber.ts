import { Clock, Effect } from "effect"
import type { TextReservation } from "../../domain/sending/Reservation.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { recordWish } from "./RecordWish.ts"
import type { TextProgress } from "../../domain/conversation/TextNotice.ts"

/**
 * What a provider tells of a number when a text does not arrive: its holder has opted out there, or nothing ever will
 * arrive. Runs inside a unit of work.
 */
export const heedNumber = Effect.fnUntraced(function* (
  { contactId, tenantId, text }: Pick<TextReservation, "contactId" | "tenantId" | "text">,
  about: TextProgress["about"],
  reason: string
) {
  if (about === null) return
  const at = yield* Clock.currentTimeMillis
  if (about === "unreachable")
    return yield* (yield* Contacts).markUndeliverable(tenantId, text.to, at, reason.slice(0, 200))
  const wish = { optedOut: true, source: "provider", at } as const
  yield* recordWish({ tenantId, contactId, phone: text.to, ownPhone: text.from, wish })
})
