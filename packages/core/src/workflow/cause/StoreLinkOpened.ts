import { Effect } from "effect"
import type { ContactId } from "../../domain/Id.ts"
import type { TrackedLink } from "../../domain/link/TrackedLink.ts"
import { isLinkTrigger, reactsToLink } from "../../domain/link/LinkTrigger.ts"
import { linkKeyOf, triggerTime } from "../../domain/run/TriggerRun.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { queuedRules, storeCause } from "./StoreCause.ts"

/**
 * Stores the first opening of a link as the cause of the enabled rules that react to it. Runs inside the unit of work
 * that records the opening.
 */
export const storeLinkOpened = Effect.fnUntraced(function* (
  { config, tenantId }: Tenant,
  { messageId, position, sequenceId, url }: TrackedLink,
  contactId: ContactId,
  now: number
) {
  const change = { field: "url", from: null, to: url }
  const key = linkKeyOf(messageId, position)
  const cause = { tenantId, contactId, leadId: null, messageId, taskId: null, change, causeAt: now, key }
  for (const each of queuedRules(config.rules)) {
    const { trigger } = each
    if (!isLinkTrigger(trigger) || !reactsToLink(trigger, { sequenceId, url })) continue
    yield* storeCause(each, cause, triggerTime(trigger, cause, config.timeZone), now)
  }
})
