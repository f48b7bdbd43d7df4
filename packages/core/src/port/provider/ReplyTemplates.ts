import type { Effect } from "effect"
import { Context, Data } from "effect"
import type { Budget, BudgetExceeded } from "../../domain/budget/Budget.ts"

/** Characters of a message that a template sees; a longer one is cut. */
export const maxTemplateBody = 100_000

/** What a reply template may speak of. */
export interface ReplyContext {
  readonly contact: { readonly name: string | null; readonly first_name: string | null; readonly email: string | null }
  readonly tenant: { readonly name: string }
  readonly message: { readonly subject: string | null; readonly body: string }
}

/** How a template is rendered. */
export interface RenderSettings {
  /** Epoch milliseconds. */
  readonly now: number
  /** The IANA zone in which dates are shown. */
  readonly timeZone: string
  /** What rendering spends; the rendered text counts as written. */
  readonly budget: Budget
  /** Characters to render; what is longer is cut and says so. Absent: as long as the budget lasts. */
  readonly maxCharacters?: number
}

/** The template cannot be read or asks for something that is not there. */
export class TemplateInvalid extends Data.TaggedError("TemplateInvalid")<{ readonly reason: string }> {}

/** Ends a text that was cut. */
export const cutMark = "… [cut]"

/** A text of at most so many characters; one that is cut ends with `cutMark`, which counts. */
export const cutText = (text: string, maxCharacters: number): string =>
  text.length <= maxCharacters
    ? text
    : `${text.slice(0, Math.max(0, maxCharacters - cutMark.length)).replace(/[\uD800-\uDBFF]$/, "")}${cutMark}`

/** Turns reply templates into text. */
export class ReplyTemplates extends Context.Service<
  ReplyTemplates,
  {
    /** Null: the template can be rendered. */
    readonly check: (template: string) => string | null
    /**
     * The same again gives the same text and spends the same steps: a template knows no other time than the one it is
     * rendered at.
     */
    readonly render: (
      template: string,
      context: ReplyContext,
      settings: RenderSettings
    ) => Effect.Effect<string, TemplateInvalid | BudgetExceeded>
  }
>()("core/port/provider/ReplyTemplates") {}
