import { count } from "./Count.ts"

/** The texts of an open conversation. */
export const conversationText = {
  back: "Back to the list",
  messages: "Messages",
  older: "Show older messages",
  quoted: "Quoted text",
  html: "Show formatting",
  plain: "Show plain text",
  images: (number: number) => count(number, "remote image is blocked.", "remote images are blocked."),
  attachments: "Attachments",
  unavailable: "not stored",
  opensHost: (host: string) => `opens ${host}`,
  actors: { contact: "Contact", agent: "Agent", assistant: "Assistant", system: "System" },
  note: "Private note",
  delivery: {
    queued: "Queued",
    sent: "Sent",
    delivered: "Delivered",
    failed: "Not delivered",
    bounced: "Bounced",
    unknown: "Delivery unknown"
  },
  scheduled: {
    at: (time: string) => `Scheduled for ${time}`,
    sending: "Sending…",
    text: "Text of the scheduled message",
    editText: "Edit text",
    editTime: "Change time",
    save: "Save",
    cancel: "Cancel sending",
    failed: (reason: string) => `Not changed: ${reason}`
  },
  actions: {
    group: "Actions",
    close: "Close",
    reopen: "Reopen",
    assignMe: "Assign to me",
    unassign: "Unassign",
    snooze: "Snooze",
    tag: "Tags",
    markUnread: "Mark unread",
    panel: "Contact panel",
    failed: (reason: string) => `Not saved: ${reason}`,
    closed: "Conversation closed",
    noNextUnread: "No other unread conversation in this list."
  },
  snooze: {
    title: "Snooze until",
    laterToday: "Later today",
    tomorrow: "Tomorrow morning",
    nextWeek: "Next week"
  },
  tags: { title: "Add or remove a tag", add: (tag: string) => `Add ${tag}`, remove: (tag: string) => `Remove ${tag}` },
  draft: {
    title: "Reply that waits for approval",
    approve: "Approve and send",
    edit: "Edit first",
    dismiss: "Dismiss",
    stale: "A newer message has arrived. Read it before you approve this reply.",
    approved: "Reply sent",
    failed: (reason: string) => `Not sent: ${reason}`,
    why: "Why this reply",
    dismissed: "Reply dismissed"
  },
  contact: {
    title: "Contact",
    email: "Email",
    phone: "Phone",
    company: "Company",
    tags: "Tags",
    score: "Score",
    leads: "Open leads",
    counts: (messages: number) => count(messages, "message", "messages"),
    none: "None"
  }
} as const
