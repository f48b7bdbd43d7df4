import { type Kind, travels } from "./Kind.ts"

/** What is kept of an address or a number, whoever holds it. */
export type AddressKind = "undeliverable" | "blocked_numbers" | "opt_outs"

/** Whom nothing may be sent to, and why: when a contact is erased, hashes of this are left. */
export const addressKinds: { readonly [Name in AddressKind]: Kind } = {
  undeliverable: {
    ...travels,
    name: "undeliverable",
    key: ["email"],
    belongs: { by: "address", column: "email" },
    columns: { email: "text", bounced_at: "time", reason: "text" }
  },
  blocked_numbers: {
    ...travels,
    name: "blocked_numbers",
    key: ["phone"],
    belongs: { by: "address", column: "phone" },
    columns: { phone: "text", created_at: "time" }
  },
  opt_outs: {
    ...travels,
    name: "opt_outs",
    key: ["phone", "own_phone"],
    belongs: { by: "address", column: "phone" },
    columns: {
      phone: "text",
      own_phone: "text",
      opted_out: "flag",
      source: "text",
      changed_at: "time",
      history: "json"
    }
  }
}
