import type { LinkTrigger, QueuedTrigger } from "../rule/Trigger.ts"
import type { TrackedLink } from "./TrackedLink.ts"

/** Returns whether a trigger is the opening of a link. */
export const isLinkTrigger = (trigger: QueuedTrigger): trigger is LinkTrigger => trigger.type === "link_opened"

/** Returns whether a rule with this trigger reacts to the opening of a link. */
export const reactsToLink = (
  { sequence, url_prefix: prefix = "" }: LinkTrigger,
  link: Pick<TrackedLink, "sequenceId" | "url">
): boolean => (sequence === undefined || sequence === link.sequenceId) && link.url.startsWith(prefix)
