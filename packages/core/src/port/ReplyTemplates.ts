import { Context, Data, Effect, Layer } from "effect"

/** What a reply template may speak of. */
export interface ReplyContext {
  readonly contact: { readonly name: string | null; readonly first_name: string | null; readonly email: string | null }
  readonly tenant: { readonly name: string }
  readonly message: { readonly subject: string | null; readonly body: string }
}

/** When, in epoch milliseconds, and in which IANA zone dates are shown. */
export interface RenderedAt {
  readonly now: number
  readonly timeZone: string
}

/** The template cannot be read or asks for something that is not there. */
export class TemplateInvalid extends Data.TaggedError("TemplateInvalid")<{ readonly reason: string }> {}

/** Turns reply templates into text. */
export class ReplyTemplates extends Context.Service<
  ReplyTemplates,
  {
    /** Null: the template can be rendered. */
    readonly check: (template: string) => string | null
    /** The same again gives the same text: a template knows no other time than the one it is rendered at. */
    readonly render: (template: string, context: ReplyContext, at: RenderedAt) => Effect.Effect<string, TemplateInvalid>
  }
>()("core/port/ReplyTemplates") {
  /** Knows `{{ contact.name }}` and the like, and nothing else of a template language. For tests of the domain. */
  static readonly layerMemory = Layer.succeed(
    ReplyTemplates,
    ReplyTemplates.of({
      check: (template) => (template.includes("{%") ? "Tags are not known here." : null),
      render: (template, context) =>
        Effect.succeed(
          template.replace(/\{\{\s*(\w+)\.(\w+)\s*\}\}/gu, (_, noun: string, field: string) => {
            const record = Object.entries(context).find(([name]) => name === noun)?.[1] ?? {}
            return String(Object.entries(record).find(([name]) => name === field)?.[1] ?? "")
          })
        )
    })
  )
}
