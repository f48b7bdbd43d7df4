import type { Effect } from "effect"
import { Context } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import type { Budget, BudgetExceeded } from "../../domain/budget/Budget.ts"

/** The maximum length of the message text that a template receives, in characters. A longer text is cut. */
export const maxTemplateBody = 100_000

/** The values that a reply template can use. */
export interface ReplyContext {
  readonly contact: { readonly name: string | null; readonly first_name: string | null; readonly email: string | null }
  readonly tenant: { readonly name: string }
  readonly message: { readonly subject: string | null; readonly body: string }
}

/** The values that a canned reply can use. */
export interface CannedReplyContext {
  readonly contact: ReplyContext["contact"] & {
    readonly phone: string | null
    readonly company: string | null
    /** The link with which the contact opts out. Only emails of sequences have one. */
    readonly unsubscribe_url?: string | null
  }
  readonly tenant: ReplyContext["tenant"]
  /** The person who uses the canned reply. */
  readonly user: { readonly name: string | null; readonly email: string | null }
}

/** The settings of one rendering. */
export interface RenderSettings {
  /** Epoch milliseconds. */
  readonly now: number
  /** The IANA time zone for dates. */
  readonly timeZone: string
  /** The budget that rendering spends. The rendered text counts as written characters. */
  readonly budget: Budget
  /**
   * The maximum length of the result, in characters. A longer text is cut and ends with `cutMark`. If it is absent,
   * only the budget limits the length.
   */
  readonly maxCharacters?: number
}

/** The template has a syntax error or uses an unknown value. */
export class TemplateInvalid extends TaggedError("TemplateInvalid")<{ readonly reason: string }> {}

/** The mark at the end of a cut text. */
export const cutMark = "… [cut]"

/** Cuts a text to at most `maxCharacters`. A cut text ends with `cutMark`. The mark counts towards the maximum. */
export const cutText = (text: string, maxCharacters: number): string =>
  text.length <= maxCharacters
    ? text
    : `${text.slice(0, Math.max(0, maxCharacters - cutMark.length)).replace(/[\uD800-\uDBFF]$/, "")}${cutMark}`

/** Renders reply templates. */
export class ReplyTemplates extends Context.Service<
  ReplyTemplates,
  {
    /** Returns the error of a template; null when the template can be rendered. */
    readonly check: (template: string) => string | null
    /**
     * Returns the variables that a template reads, for example `contact.first_name`, each once. Variables that the
     * template itself assigns are left out. Empty for an invalid template.
     */
    readonly variables: (template: string) => ReadonlyArray<string>
    /**
     * Renders a template. Equal input gives equal text and spends equal steps, because a template reads the time only
     * from the settings.
     */
    readonly render: (
      template: string,
      context: ReplyContext | CannedReplyContext,
      settings: RenderSettings
    ) => Effect.Effect<string, TemplateInvalid | BudgetExceeded>
  }
>()("core/port/provider/ReplyTemplates") {}
