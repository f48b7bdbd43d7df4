import type { SequenceStep, StepFallback, StepVariant } from "@leadloom/client"
import { otherChannel } from "../../form/FallbackFields.tsx"
import { withSubject } from "../../form/Subject.tsx"

/** A step that sends a message. */
export type SendStep = Extract<SequenceStep, { readonly kind: "send" }>
/** A step that only waits. */
export type WaitStep = Extract<SequenceStep, { readonly kind: "wait" }>

type Channel = SendStep["channel"]

/** The maximum number of other texts of a step, as in the API. */
export const maxVariants = 4

/** Returns the step with the other texts; a step without any has no weight either. */
export const withVariants = (step: SendStep, next: ReadonlyArray<StepVariant>): SendStep => {
  const { variants: _, weight, ...others } = step
  const [first, ...rest] = next
  if (first === undefined) return others
  return { ...others, ...(weight === undefined ? {} : { weight }), variants: [first, ...rest] }
}

/** Returns the step on another channel. Its texts lose subjects that a text cannot have. */
export const withChannel = (step: SendStep, channel: Channel): SendStep => {
  if (step.channel === channel) return step
  const { fallback, variants, ...others } = channel === "sms" ? withSubject(step, "") : step
  const texts: ReadonlyArray<StepVariant> = variants ?? []
  return withVariants(
    {
      ...others,
      channel,
      ...(fallback === undefined ? {} : { fallback: [{ channel: otherChannel(channel) }] as const })
    },
    channel === "sms" ? texts.map((variant) => withSubject(variant, "")) : texts
  )
}

/** Returns the step with another channel, or without one. */
export const withFallback = (step: SendStep, fallback: StepFallback | null): SendStep => {
  const { fallback: _, ...others } = step
  return fallback === null ? others : { ...others, fallback: [fallback] }
}

/** Returns a new text with an unused name. It starts with the text of the step. */
export const newVariant = ({ body, variants }: SendStep): StepVariant => {
  const names = new Set(variants?.map(({ name }) => name))
  let number = names.size + 1
  while (names.has(`variant-${number}`)) number++
  return { name: `variant-${number}`, body }
}
