import { Effect } from "effect"
import {
  claimText,
  PublicUrl,
  type UnsubscribeClaim,
  unsubscribePlace,
  unsubscribeUrl
} from "../../domain/consent/UnsubscribeLink.ts"
import { Vault } from "../../port/system/Vault.ts"

/**
 * Returns the link with which the recipient of an email opts out; null if recipients cannot reach this server. The link
 * does not expire, because CAN-SPAM (15 U.S.C. 7704(a)(3)) requires that it works for at least 30 days after the email.
 * The address in it is sealed, so that it does not appear in the logs of proxies.
 */
export const makeUnsubscribeLink = Effect.fnUntraced(function* (claim: UnsubscribeClaim) {
  const publicUrl = yield* PublicUrl
  if (publicUrl === null) return null
  return unsubscribeUrl(publicUrl, (yield* Vault).seal(claimText(claim), unsubscribePlace))
})
