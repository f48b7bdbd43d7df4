/** The texts of the choice of a canned reply. */
export const cannedText = {
  hint: "Type the name or the shortcut of a reply",
  none: "There are no canned replies for this channel.",
  noMatch: "No canned reply begins with this text.",
  create: "Create one under Settings, Canned replies",
  missing: (names: string) => `Without a value: ${names}`,
  failed: (reason: string) => `Not inserted: ${reason}`
} as const
