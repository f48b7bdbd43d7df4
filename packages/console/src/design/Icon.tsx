/** The icons of the pages: lines of 1.5 pixels in a square of 16 pixels. They repeat a text, so screen readers skip them. */

const paths = {
  inbox: "M2 9.5 3.6 3.2h8.8L14 9.5v3.3H2V9.5Zm0 0h3.4c.2 1.2 1.2 2 2.6 2s2.4-.8 2.6-2H14",
  leads: "M2 12.8 6 8l3 2.6L14 4M10.4 3.4H14V7",
  tasks: "M2.8 2.8h10.4v10.4H2.8V2.8ZM5.4 8l1.9 2 3.4-4",
  contacts: "M8 7.6a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2ZM2.8 13.6c.4-2.6 2.4-4 5.2-4s4.8 1.4 5.2 4",
  calls:
    "M3 2.6h2.6l1.2 3-1.6 1.2c.8 1.7 2.2 3.1 4 4l1.2-1.6 3 1.2V13c0 .5-.4.9-.9.9C7 13.6 2.4 9 2.1 3.5c0-.5.4-.9.9-.9Z",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14",
  decisions: "M4 2.4v4.2c0 1.4.9 2 2.2 2H12M4 6v7.6M9.8 6.2 12.2 8.6 9.8 11",
  rules:
    "M2 4.4h7M12.4 4.4H14M2 11.6h1.6M7 11.6h7M10.7 6.1a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4ZM5.3 13.3a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4Z",
  sequences:
    "M3.6 5.2a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2ZM12.4 14a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2ZM5.2 3.6h4.6a2.2 2.2 0 0 1 0 4.4H6.2a2.2 2.2 0 0 0 0 4.4h4.6",
  reports: "M2.4 13.6h11.2M4.2 13.4V8.6M8 13.4V3M11.8 13.4V6.2",
  settings:
    "M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4ZM8 1.8v1.8M8 12.4v1.8M1.8 8h1.8M12.4 8h1.8M3.6 3.6l1.3 1.3M11.1 11.1l1.3 1.3M3.6 12.4l1.3-1.3M11.1 4.9l1.3-1.3"
} as const

/** The name of an icon. */
export type IconName = keyof typeof paths

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg width={16} height={16} viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth={1.5} aria-hidden>
    <path d={paths[name]} strokeLinecap="round" strokeLinejoin="round" />
  </svg>
)
