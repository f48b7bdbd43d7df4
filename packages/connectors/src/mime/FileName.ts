import { visibleLine } from "@leadloom/core/domain/email/VisibleText"

/** Only the last step of a path, on one line, of a length that file systems take; null when nothing is left. */
export const fileName = (named: string): string | null => {
  const base = visibleLine(named).split(/[/\\]/u).at(-1)?.trim() ?? ""
  return base === "" || base === "." || base === ".." ? null : base.slice(0, 255)
}
