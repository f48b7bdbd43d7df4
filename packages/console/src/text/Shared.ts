/**
 * The texts of the console, in one folder, so that a second language needs a second folder only. A page has its own file,
 * so that the browser loads its texts with it.
 */

/** The texts that several pages show. */
export const text = {
  product: "Leadloom",
  shell: {
    main: "Main",
    inbox: "Inbox",
    commands: "Commands",
    signOut: "Sign out",
    skip: "Skip to content",
    notifications: "Notifications",
    dismiss: "Dismiss",
    undo: "Undo",
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
  states: { open: "Open", snoozed: "Snoozed", closed: "Closed" },
  channels: { email: "Email", sms: "SMS", voice: "Voice", chat: "Chat", webhook: "Form" },
  tiers: { hot: "Hot", warm: "Warm", cold: "Cold" },
  confirm: { cancel: "Cancel", type: (word: string) => `Type ${word} to confirm` },
  keys: {
    title: "Keys",
    single: "Use keys without Ctrl",
    close: "Close",
    open: "Show keys",
    palette: "Search all commands"
  },
  palette: { title: "Commands", input: "Search commands", none: "Nothing found." },
  commands: {
    inbox: "Go to inbox",
    nextUnread: "Next unread conversation",
    next: "Next conversation",
    previous: "Previous conversation",
    reply: "Reply"
  }
} as const
