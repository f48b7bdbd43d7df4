import { type Facts, type FactSources, factsOf } from "./Fact.ts"

/** The records from which the facts of a rule without a message are computed. */
export interface TriggerSources extends Pick<FactSources, "contact" | "now" | "recordFacts" | "time"> {
  readonly lead: (FactSources["lead"] & { readonly score: number | null; readonly tier: TierOfScore | null }) | null
}

type TierOfScore = NonNullable<FactSources["score"]>["tier"]

const noMessage: FactSources["message"] = {
  attachments: [],
  auto: null,
  body: "",
  channel: "email",
  metadata: {},
  receivedAlias: null,
  source: "",
  subject: null
}

/** The facts of a message, all of them missing. */
const missing = {
  "message.text": null,
  "message.channel": null,
  "message.source": null,
  "message.word_count": null,
  "message.has_question": null,
  "message.has_link": null,
  "message.has_attachment": null,
  "contact.is_new": null,
  "lead.is_new": null
} satisfies Partial<Facts>

/** Computes the facts of a rule that reacts to no message. Facts of a message are missing; the score is the lead's. */
export const triggerFactsOf = ({ lead, ...sources }: TriggerSources): Facts => {
  const score =
    lead === null || lead.score === null || lead.tier === null ? null : { score: lead.score, tier: lead.tier }
  const none = { message: noMessage, contactIsNew: false, leadIsNew: false, classification: null }
  return { ...factsOf({ ...sources, ...none, lead, score }), ...missing }
}
