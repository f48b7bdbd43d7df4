/** An arrow of a button whose accessible name says what it does. Drawn, because some systems have no font with arrows. */
export const Arrow = ({ to }: { readonly to: "up" | "down" | "left" }) => (
  <svg
    width={12}
    height={12}
    viewBox="0 0 12 12"
    aria-hidden="true"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.5}
  >
    <path d={paths[to]} />
  </svg>
)

const paths = {
  up: "M6 11V1M2 5L6 1L10 5",
  down: "M6 1V11M2 7L6 11L10 7",
  left: "M11 6H1M5 2L1 6L5 10"
} as const
