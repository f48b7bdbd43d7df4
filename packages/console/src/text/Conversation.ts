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
  why: "Why?",
  unavailable: "not stored",
  opensHost: (host: string) => `opens ${host}`,
  scheduled: (time: string) => `Scheduled for ${time}`,
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
  snooze: { title: "Snooze until" },
  tags: { title: "Add or remove a tag", add: (tag: string) => `Add ${tag}`, remove: (tag: string) => `Remove ${tag}` },
  draft: {
    title: "Reply that waits for approval",
    approve: "Approve and send",
    edit: "Edit first",
    dismiss: "Dismiss",
    stale: "A newer message has arrived. Read it before you approve this reply.",
    approved: "Reply sent",
    dismissed: "Reply dismissed"
  },
  composer: {
    label: "Reply",
    channel: "Send by",
    send: "Send",
    sending: "Sending…",
    sent: "Message queued",
    saved: "Draft saved",
    saving: "Saving draft…",
    unsaved: "Draft not saved. It stays in this tab.",
    changed: "Another person has changed this draft. Your text is kept here; send it or copy it.",
    failed: (reason: string) => `Not sent: ${reason}`,
    unreachable: "This contact has no email address and no phone number."
  }
} as const
