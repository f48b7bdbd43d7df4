import { count } from "./Count.ts"

/** The texts of the conversation list. */
export const inboxText = {
  title: "Conversations",
  empty: "No conversations.",
  filtered: "No conversation matches these filters.",
  clear: "Clear filters",
  search: "Search conversations",
  filters: "Filters",
  state: "State",
  channel: "Channel",
  tier: "Tier",
  assignee: "Assignee",
  view: "View",
  mine: "Assigned to me",
  unassigned: "Unassigned",
  unreadOnly: "Unread only",
  allViews: "No view",
  unread: (number: number) => count(number, "unread message", "unread messages"),
  waiting: (duration: string) => `waiting ${duration}`,
  choose: "Choose a conversation, or press N for the next unread one."
} as const
