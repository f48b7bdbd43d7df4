import { visibleLine } from "@leadloom/core/internal/domain/email/VisibleText"

/**
 * Returns the last segment of a path, in one visible line and with a length that file systems accept; null when nothing
 * remains.
 */
export const fileName = (named: string): string | null => {
  const base = visibleLine(named).split(/[/\\]/u).at(-1)?.trim() ?? ""
  return base === "" || base === "." || base === ".." ? null : base.slice(0, 255)
}
