import { describe, expect, it } from "vitest"
import { blocksOf, showsOutput, stepsOf } from "./Markdown.ts"

const page = `# Page

\`\`\`sh
echo one
\`\`\`

\`\`\`text
one
\`\`\`

1. A step:

   <!-- not run: needs Docker -->
   \`\`\`sh
   docker run
   \`\`\`

\`\`\`sh
echo two
\`\`\`
`

describe("blocksOf", () => {
  it("reads language, code, line and note, also in lists", () => {
    expect(blocksOf("page.md", page)).toEqual([
      { page: "page.md", line: 3, language: "sh", code: "echo one\n", note: null },
      { page: "page.md", line: 7, language: "text", code: "one\n", note: null },
      { page: "page.md", line: 14, language: "sh", code: "docker run\n", note: "not run: needs Docker" },
      { page: "page.md", line: 18, language: "sh", code: "echo two\n", note: null }
    ])
  })

  it("pairs executed blocks with the output below them", () => {
    const steps = stepsOf(blocksOf("page.md", page))
    expect(steps.map(({ block, expected }) => [block.code, expected?.code ?? null])).toEqual([
      ["echo one\n", "one\n"],
      ["echo two\n", null]
    ])
  })
})

describe("showsOutput", () => {
  it("accepts any text for an ellipsis within a line, and any lines for a line with an ellipsis", () => {
    expect(showsOutput("key  llk_…\n…\nend", "key  llk_abc\n1\n2\nend\n")).toBe(true)
    expect(showsOutput("first\n…", "first\n")).toBe(true)
  })

  it("rejects missing, additional and different lines", () => {
    expect(showsOutput("one\ntwo", "one\n")).toBe(false)
    expect(showsOutput("one", "one\ntwo\n")).toBe(false)
    expect(showsOutput("a.c", "abc\n")).toBe(false)
  })
})
