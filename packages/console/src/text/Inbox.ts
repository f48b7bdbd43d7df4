import { count } from "./Count.ts"

/** The texts of the conversation list. */
export const inboxText = {
  title: "Conversations",
  empty: "No open conversations.",
  showAll: "Show snoozed and closed ones",
  filtered: "No conversation matches these filters.",
  clear: "Clear filters",
  search: "Search conversations",
  filters: "Filters",
  state: "State",
  channel: "Channel",
  tier: "Tier",
  assignee: "Assignee",
  team: "Team",
  withoutTeam: "Without a team",
  snoozedUntil: (time: string) => `snoozed until ${time}`,
  closed: "closed",
  view: "View",
  mine: "Assigned to me",
  unassigned: "Unassigned",
  unreadOnly: "Unread only",
  allViews: "No view",
  unread: (number: number) => count(number, "unread message", "unread messages"),
  waiting: (duration: string) => `waiting ${duration}`,
  assign: {
    title: "Assign to a person or a team",
    me: (name: string) => `${name} (me)`,
    team: (name: string) => `Team ${name}`,
    now: "now",
    nobody: "Nobody",
    noTeam: "No team"
  },
  bulk: {
    title: "Selected conversations",
    select: (name: string) => `Select ${name}`,
    count: (number: number) => `${number} selected`,
    toggle: "Select this conversation",
    all: "Select all loaded conversations",
    close: "Close all",
    reopen: "Reopen all",
    assign: "Assign all to me",
    assignTo: "Assign all to…",
    markUnread: "Mark all unread",
    clear: "Clear selection",
    closeTitle: (number: number) => `Close ${count(number, "conversation", "conversations")}?`,
    closeMessage:
      "They count as read for everybody and as answered. Undo opens them again, but not since when the contacts wait.",
    restored: "Changes undone",
    notRestored: (reason: string) => `Not undone: ${reason}`,
    changed: (number: number) => count(number, "conversation changed", "conversations changed"),
    refused: (number: number) => `Not changed: ${count(number, "conversation", "conversations")}`
  },
  views: {
    save: "Save as view",
    name: "Name of the view",
    shared: "For all users",
    share: "Share view",
    unshare: "Stop sharing",
    remove: "Delete view",
    confirm: (name: string) => `Delete the view ${name}? The conversations stay.`,
    open: (name: string) => `View ${name}`
  },
  choose: "Choose a conversation, or press N for the next unread one."
} as const
