import { count } from "./Count.ts"

/** The texts of the search. */
export const searchText = {
  title: "Search",
  field: "Search contacts, messages and notes",
  submit: "Search",
  deep: "All messages, not only of the last six months",
  contacts: "Contacts",
  messages: "Messages",
  notes: "Private notes",
  hits: (number: number, more: boolean) => `${count(number, "hit", "hits")}${more ? " so far" : ""}`,
  none: (query: string) => `Nothing matches “${query}”.`,
  start: "Type words, a part of an address, or at least three digits of a phone number.",
  incomplete: "Some older messages are not indexed yet, so results may be missing."
} as const
