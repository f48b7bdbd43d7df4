import { ToolFailed } from "./ToolFailed.ts"
import { markUntrusted } from "./Untrusted.ts"

/** The result of a tool, before its texts are marked and shortened. */
export type Page = Readonly<Record<string, unknown>>

/** The treatment of the texts in a result. */
export interface Output {
  /** False only if no text of the result comes from contacts. */
  readonly untrusted: boolean
  /** The maximum length of one text in characters. */
  readonly maxText?: number
}

const defaultMaxText = 2_000

/** The maximum length of a result in characters, about 15,000 tokens. */
export const maxResultLength = 60_000

/** Renders a result as JSON for the language model. Fails with `ToolFailed` when the result is too long. */
export const render = (page: Page, { maxText = defaultMaxText, untrusted }: Output): string => {
  const text = JSON.stringify(untrusted ? markUntrusted(page, maxText) : page)
  if (text.length <= maxResultLength) return text
  throw new ToolFailed(
    `RESULT_TOO_LARGE: The result has ${text.length} characters, more than ${maxResultLength}. Request a smaller limit or a single object.`
  )
}
