import { Effect, Layer } from "effect"
import { ReplyTemplates, TemplateInvalid, cutText } from "@leadloom/core/internal/port/provider/ReplyTemplates"

/** Provides `ReplyTemplates` that replaces placeholders such as `{{ contact.name }}` and rejects tags. */
export const inMemoryReplyTemplates = Layer.succeed(
  ReplyTemplates,
  ReplyTemplates.of({
    check: (template) => (template.includes("{%") ? "Tags are not known here." : null),
    variables: (template) => [
      ...new Set([...template.matchAll(/\{\{\s*(\w+(?:\.\w+)*)\s*\}\}/gu)].map(([, path = ""]) => path))
    ],
    render: (template, context, { budget, maxCharacters = Infinity }) =>
      Effect.try({
        try: () => {
          const rendered = template.replace(/\{\{\s*(\w+)\.(\w+)\s*\}\}/gu, (_, noun: string, field: string) => {
            const record = Object.entries(context).find(([name]) => name === noun)?.[1] ?? {}
            return String(Object.entries(record).find(([name]) => name === field)?.[1] ?? "")
          })
          const text = cutText(rendered, maxCharacters)
          budget.spend(template.length + rendered.length)
          budget.write(text.length)
          return text
        },
        catch: (cause) => budget.exceeded() ?? new TemplateInvalid({ reason: String(cause) })
      })
  })
)
