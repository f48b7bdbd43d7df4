/** The question before a dialog discards what the person has typed. */
export const discardText = {
  title: "Discard what you have typed?",
  stay: "Continue typing",
  discard: "Discard"
} as const
