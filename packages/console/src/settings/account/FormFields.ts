import type { TenantConfig } from "@leadloom/client"
import { accountText } from "../../text/Account.ts"

const { form: shown } = accountText

/** The public form of a tenant. */
export type PublicForm = NonNullable<TenantConfig["public_form"]>

/** A field that visitors fill in. */
export interface VisitorField {
  readonly name: string
  readonly label: string
  readonly type: "text" | "email" | "tel" | "textarea"
}

const standardFields: ReadonlyArray<VisitorField> = [
  { name: "name", label: shown.visitor.name, type: "text" },
  { name: "email", label: shown.visitor.email, type: "email" },
  { name: "phone", label: shown.visitor.phone, type: "tel" },
  { name: "message", label: shown.visitor.message, type: "textarea" }
]

/** Returns the fields of a form: the standard ones, and those that the tenant stores as metadata. */
export const visitorFields = ({ fields = [] }: PublicForm): ReadonlyArray<VisitorField> => [
  ...standardFields.slice(0, -1),
  ...fields.map((name): VisitorField => ({ name, label: name, type: "text" })),
  ...standardFields.slice(-1)
]

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }
const escape = (value: string): string => value.replace(/[&<>"]/gu, (found) => entities[found] ?? found)

const controlOf = ({ name, type }: VisitorField): string =>
  type === "textarea"
    ? `<textarea name="${escape(name)}" required></textarea>`
    : `<input name="${escape(name)}" type="${type}">`

/** Returns the HTML of the form for the tenant's website. */
export const htmlOf = (origin: string, tenantId: string, form: PublicForm): string => {
  const rows = visitorFields(form).map((field) => `  <p><label>${escape(field.label)} ${controlOf(field)}</label></p>`)
  // People cannot see the honeypot. Programs fill it in.
  const trap =
    form.honeypot === undefined
      ? []
      : [`  <p hidden><input name="${escape(form.honeypot)}" tabindex="-1" autocomplete="off"></p>`]
  const action = `${origin}/api/v1/public/leads/${encodeURIComponent(tenantId)}`
  return [
    `<form method="post" action="${escape(action)}" data-leadloom>`,
    ...rows,
    ...trap,
    `  <p><button>${escape(shown.visitor.send)}</button></p>`,
    "</form>"
  ].join("\n")
}
