import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Schema } from "effect"

/** The channels on which sequences send messages. */
export const stepChannels = ["email", "sms"] as const
export type StepChannel = (typeof stepChannels)[number]

/** The maximum length of the template of a step, in characters. */
export const maxSequenceTemplateLength = 10_000

/** The maximum number of texts of a step: its own one, and its variants. */
export const maxStepTexts = 5

/** The name of the own text of a step in results. */
export const controlVariant = "control"

const text = (maxLength: number) => Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(maxLength))

/** The share of a text in the sum of the weights of all texts of a step. */
const Weight = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))

/** Absent or null: the email answers the newest one of the contact. */
const subject = Schema.optionalKey(Schema.NullOr(text(300)))

const body = text(maxSequenceTemplateLength)

/** Another text of a step, for a test of several texts. */
export const StepVariant = Schema.Struct({
  name: Schema.String.check(
    Schema.isPattern(/^[a-z0-9][a-z0-9_-]{0,49}$/u, { message: "Expected lower-case letters, digits, _ and -" })
  ).annotate({
    description: `The name in results, unique in the step: lower-case letters, digits, \`_\` and \`-\`, but not \`${controlVariant}\``
  }),
  weight: Schema.optionalKey(Weight).annotate({
    description: "The share of this text in the sum of all weights, 1 to 100. Default: 1"
  }),
  subject: subject.annotate({ description: "The template of an email's subject. Default: that of the step" }),
  body: body.annotate({ description: "The template of the text, as `body` of the step" })
}).annotate({ identifier: "StepVariant", description: "Another text of a step, for a test of several texts" })
export type StepVariant = typeof StepVariant.Type

/** Another channel of a step, for contacts that cannot be reached on the first one. */
export const StepFallback = Schema.Struct({
  channel: Schema.Literals(stepChannels).annotate({ description: "The channel, another one than that of the step" }),
  subject: subject.annotate({ description: "The template of an email's subject. Default: that of the step" }),
  body: Schema.optionalKey(body).annotate({ description: "The template of the text. Default: the text of the step" })
}).annotate({ identifier: "StepFallback", description: "Another channel of a step" })

/** The fields of a step that sends a message. */
export const sendFields = {
  channel: Schema.Literals(stepChannels).annotate({ description: "The channel of the message" }),
  subject: subject.annotate({
    description: "The template of an email's subject. Default: the email answers the newest one of the contact"
  }),
  body: body.annotate({
    description: `The template of the text, with the variables of canned replies; in emails also {{ contact.unsubscribe_url }}, the link with which the contact opts out; at most ${maxSequenceTemplateLength} characters`
  }),
  fallback: Schema.optionalKey(
    Schema.NonEmptyArray(StepFallback).check(Schema.isMaxLength(stepChannels.length - 1))
  ).annotate({
    description:
      "The channels that are tried in this order if the contact has no address on `channel`, or no message to it is permitted. Default: none"
  })
}

/** The fields of a test of several texts. */
export const variantFields = {
  weight: Schema.optionalKey(Weight).annotate({
    description: "With `variants`: the share of this text in the sum of all weights, 1 to 100. Default: 1"
  }),
  variants: Schema.optionalKey(Schema.NonEmptyArray(StepVariant).check(Schema.isMaxLength(maxStepTexts - 1))).annotate({
    description: `Other texts, 1 to ${maxStepTexts - 1}. Each enrolment gets one of the texts by their weights, always the same one. Default: none`
  })
}

const Send = Schema.Struct({ ...sendFields, ...variantFields })
type Send = typeof Send.Type

/** A text on a channel. */
export interface ChannelText {
  readonly channel: StepChannel
  readonly subject: string | null
  readonly body: string
  /** Whether the text is the one that the weights have chosen. A fallback can have a text of its own. */
  readonly isChosen: boolean
}

/**
 * Returns a number from 0 to 1, excluding 1. FROZEN, because a retry must choose the same text: the first four bytes
 * (big-endian) of the SHA-256 of tenant, enrolment and step, joined by line feeds, divided by 2^32.
 */
export const shareOf = (tenantId: string, enrolmentId: string, step: string): number => {
  const bytes = sha256(utf8ToBytes(`${tenantId}\n${enrolmentId}\n${step}`))
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) / 2 ** 32
}

/**
 * Returns the variant of a step with a share from `shareOf`; null for its own text. The own text comes first, then the
 * variants in their order.
 */
export const variantAt = (step: Pick<Send, "variants" | "weight">, share: number): StepVariant | null => {
  const weight = step.weight ?? 1
  const variants: ReadonlyArray<StepVariant> = step.variants ?? []
  const total = variants.reduce((sum, variant) => sum + (variant.weight ?? 1), weight)
  let rest = share * total - weight
  if (rest < 0) return null
  for (const variant of variants) {
    rest -= variant.weight ?? 1
    if (rest < 0) return variant
  }
  return null
}

/** Returns the texts of a step with a variant, in the order in which their channels are tried. */
export const channelTexts = (
  step: Send,
  variant: StepVariant | null
): readonly [ChannelText, ...Array<ChannelText>] => {
  const own: ChannelText = {
    channel: step.channel,
    subject: variant?.subject ?? step.subject ?? null,
    body: variant?.body ?? step.body,
    isChosen: true
  }
  const others = (step.fallback ?? []).map(({ body: other, channel, subject: title }): ChannelText => ({
    channel,
    subject: channel === "email" ? (title ?? own.subject) : null,
    body: other ?? own.body,
    isChosen: other === undefined
  }))
  return [own, ...others]
}
