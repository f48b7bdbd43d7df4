/**
 * The texts of the console, in one folder, so that a second language needs a second folder only. A page has its own file,
 * so that the browser loads its texts with it.
 */

/** The texts that several pages show. */
export const text = {
  product: "Leadloom",
  /** The title of the window. */
  pageTitle: (page: string) => `${page} – Leadloom`,
  shell: {
    main: "Main",
    inbox: "Inbox",
    leads: "Leads",
    tasks: "Tasks",
    contacts: "Contacts",
    calls: "Calls",
    search: "Search",
    decisions: "Decisions",
    rules: "Rules",
    sequences: "Sequences",
    reports: "Reports",
    settings: "Settings",
    commands: "Commands",
    noUser: "API key",
    theme: "Appearance",
    themes: { system: "System colours", light: "Light", dark: "Dark" },
    toTheme: (theme: string) => `Appearance: ${theme}`,
    signOut: "Sign out",
    signOutTitle: "Sign out?",
    signOutNote:
      "A link has signed you in. To sign in again, you need a new one. Your administrator creates it with the command leadloom console.",
    skip: "Skip to content",
    notifications: "Notifications",
    dismiss: "Dismiss",
    undo: "Undo",
    reconnecting: "Live updates are interrupted. Reconnecting…"
  },
  problem: {
    title: "This page cannot be shown",
    forbidden: "You may not see this. Ask an administrator for access.",
    notFound: "This page does not exist, or it was merged or erased.",
    offline: "The server cannot be reached. Check your connection.",
    more: (reason: string) => `More cannot be shown: ${reason}`,
    retry: "Try again",
    loading: "Loading…"
  },
  any: "Any",
  none: "None",
  save: "Save",
  edit: "Edit",
  remove: "Remove",
  more: "Show more",
  clear: "Clear filters",
  unknownContact: "Unknown contact",
  chooseContact: "Choose a contact",
  saved: "Saved",
  notSaved: (reason: string) => `Not saved: ${reason}`,
  yes: "Yes",
  no: "No",
  multipleHint: "Hold Ctrl to select several.",
  later: { laterToday: "Later today", tomorrow: "Tomorrow morning", nextWeek: "Next week" },
  owner: "Owner",
  channel: "Channel",
  actors: { contact: "Contact", agent: "Agent", assistant: "Assistant", system: "System" },
  states: { open: "Open", snoozed: "Snoozed", closed: "Closed" },
  channels: { email: "Email", sms: "SMS", voice: "Voice", chat: "Chat", webhook: "Form" },
  leadStates: {
    open: "Open",
    engaged: "Engaged",
    qualified: "Qualified",
    won: "Won",
    lost: "Lost",
    archived: "Archived"
  },
  cannedReplies: "Canned replies",
  tiers: { hot: "Hot", warm: "Warm", cold: "Cold" },
  unsaved: {
    title: "Leave without saving?",
    message: "Your changes on this page are not saved. They are lost if you leave it.",
    stay: "Stay on this page",
    leave: "Leave without saving"
  },
  confirm: { cancel: "Cancel", type: (word: string) => `Type ${word} to confirm` },
  diff: { removed: "Removed:", added: "Added:" },
  keys: {
    title: "Keys",
    single: "Use keys without Ctrl",
    close: "Close",
    open: "Show keys",
    palette: "Search all commands"
  },
  palette: {
    title: "Commands",
    input: "Search commands",
    none: "Nothing found.",
    search: (query: string) => `Search for “${query}”`
  },
  commands: {
    nextUnread: "Next unread conversation",
    next: "Next conversation",
    previous: "Previous conversation",
    reply: "Reply"
  }
} as const
