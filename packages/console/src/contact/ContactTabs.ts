import { contactText } from "../text/Contact.ts"

/** The parts of the page of a contact. */
export const tabs = [
  ["profile", contactText.tabs.profile],
  ["timeline", contactText.tabs.timeline],
  ["identities", contactText.tabs.identities],
  ["leads", contactText.tabs.leads],
  ["sequences", contactText.tabs.sequences],
  ["merges", contactText.tabs.merges]
] as const

/** The id of a part. */
export type Tab = (typeof tabs)[number][0]

/** Reads the selected tab from an address. */
export const readContactTab = ({ tab }: Readonly<Record<string, unknown>>): { readonly tab?: Tab } => {
  const found = tabs.find(([id]) => id === tab)
  return found === undefined ? {} : { tab: found[0] }
}
