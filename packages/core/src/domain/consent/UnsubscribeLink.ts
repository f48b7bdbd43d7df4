import { Context } from "effect"
import { isId, type ContactId } from "../Id.ts"

/**
 * The base URL at which recipients reach this server (`LEADLOOM_PUBLIC_URL`), without a final slash. Null: recipients
 * cannot reach it, so messages contain no links to it.
 */
export const PublicUrl: Context.Reference<string | null> = Context.Reference("core/domain/consent/PublicUrl", {
  defaultValue: (): string | null => null
})

/** The address that an unsubscribe link opts out, and the contact to which the email was sent. */
export interface UnsubscribeClaim {
  readonly tenantId: string
  readonly contactId: ContactId
  /** The normalised email address. */
  readonly email: string
}

/** The place of the vault for which the tokens of unsubscribe links are sealed. */
export const unsubscribePlace = "unsubscribe-link"

/** In characters. A token with the longest address has fewer than 600. */
export const maxUnsubscribeToken = 1_000

/** Returns the text that a token seals. */
export const claimText = ({ contactId, email, tenantId }: UnsubscribeClaim): string =>
  JSON.stringify([tenantId, contactId, email])

/** Reads the text of a token that this server has sealed. Returns null if another version wrote it. */
export const readClaim = (text: string): UnsubscribeClaim | null => {
  const claims: unknown = JSON.parse(text)
  if (!Array.isArray(claims)) return null
  const [tenantId, contactId, email]: ReadonlyArray<unknown> = claims
  if (typeof tenantId !== "string" || typeof email !== "string") return null
  return typeof contactId === "string" && isId("con", contactId) ? { tenantId, contactId, email } : null
}

/** Returns the URL that shows and confirms the opt-out of a token. */
export const unsubscribeUrl = (publicUrl: string, token: string): string =>
  `${publicUrl}/api/v1/public/unsubscribe/${token}`
