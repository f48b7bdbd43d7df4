import { count } from "./Count.ts"

/** The texts of an open conversation. */
export const conversationText = {
  back: "Back to the list",
  messages: "Messages",
  older: "Show older messages",
  readsOlder: "Loading older messages…",
  quoted: "Quoted text",
  html: "Show formatting",
  plain: "Show plain text",
  images: {
    blocked: (number: number) => count(number, "remote image is blocked.", "remote images are blocked."),
    show: "Show images",
    always: "Always from this sender"
  },
  attachments: "Attachments",
  why: "Why?",
  noSubject: "(no subject)",
  unavailable: "not stored",
  opensHost: (host: string) => `opens ${host}`,
  note: "Private note",
  recording: { label: "Recording of the call", play: "Play recording" },
  thread: {
    why: "Why in this thread?",
    rules: {
      in_reply_to: "The mail answers a message of this thread.",
      references: "The mail refers to a message of this thread.",
      child: "A message of this thread refers to the mail.",
      provider: "The mail provider put it into this thread.",
      reply_token: "The mail was sent to the reply address of this thread.",
      new_without_reference: "The mail refers to no message, so it began this thread.",
      new_unknown_reference: "The mail refers to an unknown message, so it began this thread.",
      new_provider_contradicted: "The provider's thread did not fit, so the mail began this thread.",
      unknown: "The reason is not recorded."
    },
    byPerson: "A person put the mail into this thread.",
    split: "Start a new thread here",
    target: "Other thread",
    move: "Move to this thread",
    undo: "Undo the correction",
    corrected: "Thread corrected"
  },
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
    discard: "Discard this text",
    current: "The message has this text now:",
    ended: "No longer scheduled",
    states: {
      sent: "The message was already sent.",
      canceled: "The message was cancelled.",
      failed: "The message could not be sent."
    },
    noLonger: "The message no longer waits.",
    refused: (reason: string) =>
      `Not saved: ${reason} Your text is still in the field. Save again, or put it into the reply.`,
    tooLate: (reason: string) => `${reason} Your text was not saved. Put it into the reply, or discard it.`,
    toReply: "Put into the reply",
    inReply: (channel: string) => `The text is in the reply by ${channel}.`,
    notInReply: (channel: string) => `The composer offers no reply by ${channel}. Copy the text from the field.`
  },
  actions: {
    group: "Actions",
    close: "Close",
    reopen: "Reopen",
    assignMe: "Assign to me",
    unassign: "Unassign",
    snooze: "Snooze",
    unsnooze: "Unsnooze",
    assignTo: "Assign…",
    more: "More",
    tag: "Tags",
    markUnread: "Mark unread",
    panel: "Contact panel",
    why: "Why (not) answered",
    noRun: "No message of this conversation was decided automatically.",
    failed: (reason: string) => `Not saved: ${reason}`,
    closed: "Conversation closed",
    noNextUnread: "No other unread conversation in this list."
  },
  snooze: {
    title: "Snooze until",
    hint: "Choose, or type a time: next Tuesday 3pm",
    done: (time: string) => `Snoozed until ${time}`
  },
  tags: {
    title: "Add or remove a tag",
    hint: "Type a tag",
    add: (tag: string) => `Add ${tag}`,
    remove: (tag: string) => `Remove ${tag}`
  },
  draft: {
    title: "Reply that waits for approval",
    approve: "Approve and send",
    edit: "Edit first",
    cancel: "Cancel editing",
    byEmail: (address: string) => `Nobody can answer a form. The reply will be sent as an email to ${address}.`,
    unreachable:
      "Nobody can answer on this channel, and the contact has no email address. Reply another way, then dismiss this reply.",
    answered: "Another reply to this conversation is being sent.",
    dismiss: "Dismiss",
    stale: "A newer message has arrived. Read it before you approve this reply.",
    restored: "Not sent. The reply waits for approval again.",
    failed: (reason: string) => `Not sent: ${reason}`,
    dismissed: "Reply dismissed"
  }
} as const
