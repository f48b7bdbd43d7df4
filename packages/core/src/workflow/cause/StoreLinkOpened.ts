import { Effect } from "effect"
import type { ContactId } from "../../domain/Id.ts"
import type { TrackedLink } from "../../domain/link/TrackedLink.ts"
import { causeOfLink, queuedRules } from "../../domain/run/Cause.ts"
import { triggerTime } from "../../domain/run/TriggerRun.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { storeCause } from "./StoreCause.ts"

/**
 * Stores the first opening of a link as the cause of the enabled rules that react to it. Runs inside the unit of work
 * that records the opening.
 */
export const storeLinkOpened = Effect.fnUntraced(function* (
  { config }: Tenant,
  link: TrackedLink,
  contactId: ContactId,
  now: number
) {
  for (const each of queuedRules(config.rules)) {
    const cause = causeOfLink(each, link, contactId, now)
    if (cause !== null) yield* storeCause(each, cause, triggerTime(each.trigger, cause, config.timeZone), now)
  }
})
