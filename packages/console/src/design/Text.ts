/** Every text of the console in one catalogue, so that a second language needs a second file only. */
const plural = new Intl.PluralRules("en")

const count = (number: number, one: string, other: string): string =>
  `${number} ${plural.select(number) === "one" ? one : other}`

export const text = {
  product: "Leadloom",
  signIn: {
    title: "Sign in to Leadloom",
    help: "Paste an API key of your tenant. This tab keeps it until you sign out or close the tab.",
    tenant: "Tenant",
    key: "API key",
    submit: "Sign in",
    checking: "Signing in…",
    expired: "Your session has ended. Sign in again.",
    usedLink: "This sign-in link is invalid, expired or already used. Run leadloom console for a new one.",
    refused: "The server does not accept this key for this tenant. Check both."
  },
  shell: {
    main: "Main",
    inbox: "Inbox",
    commands: "Commands",
    signOut: "Sign out",
    skip: "Skip to content",
    notifications: "Notifications",
    dismiss: "Dismiss",
    reconnecting: "Live updates are interrupted. Reconnecting…"
  },
  problem: {
    title: "This page cannot be shown",
    forbidden: "You may not see this. Ask an administrator of your tenant for access.",
    notFound: "This conversation does not exist, or it was merged or erased.",
    offline: "The server cannot be reached. Check your connection.",
    retry: "Try again",
    loading: "Loading…"
  },
  list: {
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
    any: "Any",
    mine: "Assigned to me",
    unassigned: "Unassigned",
    unreadOnly: "Unread only",
    allViews: "No view",
    unread: (number: number) => count(number, "unread message", "unread messages"),
    waiting: (duration: string) => `waiting ${duration}`,
    unknownContact: "Unknown contact",
    choose: "Choose a conversation, or press N for the next unread one."
  },
  states: { open: "Open", snoozed: "Snoozed", closed: "Closed" },
  channels: { email: "Email", sms: "SMS", voice: "Voice", chat: "Chat", webhook: "Form" },
  tiers: { hot: "Hot", warm: "Warm", cold: "Cold" },
  conversation: {
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
    scheduled: (time: string) => `Scheduled for ${time}`
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
  palette: { title: "Commands", input: "Search commands", none: "Nothing found." },
  commands: {
    inbox: "Go to inbox",
    nextUnread: "Next unread conversation",
    next: "Next conversation",
    previous: "Previous conversation",
    reply: "Reply"
  },
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
