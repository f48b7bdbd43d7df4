/**
 * Replaces control characters and bidirectional controls. A sender could use them to move the cursor of the terminal, or
 * to show text in another order than it is written.
 */
export const visible = (text: string): string => text.replace(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, "\uFFFD")
