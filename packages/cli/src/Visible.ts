/** Replaces control characters, because a sender could use them to move the cursor of the terminal. */
export const visible = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, "\uFFFD")
