import type { Field } from "./Operation.ts"

/** Returns the option of a field: `--contact-id` for `contact_id`. The option of a secret is the name of a file. */
export const flagOf = ({ name, option = name, secret }: Field): string => {
  if (name === "tenant_id") return "--tenant"
  return `--${option.replaceAll("_", "-").toLowerCase()}${secret === true ? "-file" : ""}`
}

/** Returns the name under which commander stores the option of a field: `contactId` for `--contact-id`. */
export const optionNameOf = (field: Field): string =>
  flagOf(field)
    .slice(2)
    .replaceAll(/-(?<letter>.)/gu, (_, letter: string) => letter.toUpperCase())
