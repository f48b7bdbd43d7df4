import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { maxSplitTextLength, splitQuoted } from "../../../../src/domain/email/quoted/QuotedText.ts"

const text = (...lines: ReadonlyArray<string>): string => lines.join("\n")
const answer = "Thanks, Tuesday suits us well."
const history = "Would Tuesday at ten suit you?"

describe("header blocks", () => {
  it("folds the horizontal line above a header block together with the block", () => {
    const rule = "________________________________"
    const split = splitQuoted(text(answer, rule, "From: Ann", "Sent: Monday", "To: Bob", "Subject: x", "", history))
    expect(split.visible).toBe(answer)
    expect(split.quoted.startsWith(rule)).toBe(true)
  })

  it("folds everything below the name, date and recipients of Lotus Notes", () => {
    const split = splitQuoted(
      text(answer, "", "Ann Example", "05/03/2024 09:12 AM", "To: Bob", "cc:", "Subject: x", "", history)
    )
    expect(split.visible).toBe(answer)
  })

  it("folds the older history of a forwarded mail without text of the forwarder", () => {
    const split = splitQuoted(
      text("From: Ann", "Sent: Monday", "To: Bob", "Subject: x", "", answer, "", "-----Original Message-----", history)
    )
    expect(split.visible).toContain(answer)
    expect(split.quoted).toBe(text("-----Original Message-----", history))
  })

  it("keeps headers that the writer pasted", () => {
    const pasted = text(
      "The bounce had these headers:",
      "",
      "Received: from mx.example.com",
      "From: x@example.com",
      "To: y@example.com",
      "Subject: Hi",
      "",
      "Why?"
    )
    expect(splitQuoted(pasted).visible).toBe(pasted)
  })

  it("keeps the writer's own list even if it contains a header name", () => {
    const own = text("Shipping:", "", "From: Berlin", "To: Paris", "", "When can you collect it?")
    expect(splitQuoted(own).visible).toBe(own)
  })

  it("shows the whole forwarded mail when the forwarder wrote nothing", () => {
    const forwarded = text(
      "Begin forwarded message:",
      "",
      "From: Ann <ann@example.com>",
      "Subject: x",
      "To: Bob",
      "",
      history
    )
    expect(splitQuoted(forwarded).visible).toBe(forwarded)
  })
})

describe("quote marks", () => {
  it("keeps answers between quotes and reports them as interleaved", () => {
    const split = splitQuoted(text("Ann wrote:", "> One?", "", "Yes.", "", "> Two?", "", "No."))
    expect(split.visible).toBe("Yes.\n\nNo.")
    expect(split.interleaved).toBe(true)
    expect(split.spans.map((span) => span.kind)).toEqual(["quoted", "visible", "quoted", "visible"])
  })

  it("does not report an answer above or below its quote as interleaved", () => {
    expect(splitQuoted(text(answer, "", "> One?")).interleaved).toBe(false)
    expect(splitQuoted(text("> One?", "", answer)).interleaved).toBe(false)
  })

  it("keeps an answer above the quotes below an attribution at the top", () => {
    const split = splitQuoted(text("On 5 Mar 2024, at 09:12, Ann wrote:", "", "Hi Ann,", "", "> One?", "", "Yes."))
    expect(split.visible).toContain("Hi Ann,")
    expect(split.visible).toContain("Yes.")
  })

  it("keeps a possible answer before marked lines without an attribution", () => {
    const attribution = "On 5 Mar 2024, at 09:12, Ann wrote:"
    const split = splitQuoted(text("See below.", "", attribution, "", "Hi Ann,", "", "> One?", "", "Yes."))
    expect(split.visible).toBe("See below.\n\nHi Ann,\n\nYes.")
  })

  it("keeps the text after an attribution inside a paragraph when no line is marked", () => {
    const own = text(
      "I cite from the minutes of the meeting:",
      "On 5 Mar 2024, at 09:12, Ann wrote:",
      "the parts are late"
    )
    expect(splitQuoted(own).visible).toBe(own)
  })

  it("finds a wrapped attribution directly below the text", () => {
    const lines = ["On Tue, Mar 5, 2024 the customer", "Ann Example (9:12 AM) <ann@example.com> wrote:"]
    expect(splitQuoted(text(answer, ...lines, "> One?")).visible).toBe(answer)
  })

  it.each(["See you at 10:30", "See you on 5.3.2024.", "Wednesday then"])(
    "keeps %j right above an attribution",
    (own) => {
      for (const line of [
        "Ann Example <ann@example.com> wrote:",
        "On 5 Mar 2024, at 09:12, Ann <ann@example.com> wrote:"
      ]) {
        expect(splitQuoted(text(own, line, "> One?")).visible).toBe(own)
      }
    }
  )

  it("keeps a sentence that ends in a verb of writing above a quote", () => {
    const sentence = "As far as I can see this is not what your colleague wrote:"
    expect(splitQuoted(text(sentence, "> One?", "", "Yes.")).visible).toBe(text(sentence, "", "Yes."))
  })

  it("keeps the answer below a header block whose history is marked", () => {
    const block = ["-----Original Message-----", "From: Ann", "Sent: Monday", "To: Bob", "Subject: x"]
    const split = splitQuoted(text(...block, "", `> ${history}`, "", answer))
    expect(split.visible).toBe(answer)
  })

  it("folds quotes marked with initials, names and bars", () => {
    expect(splitQuoted(text("AB> One?", "AB> Two?", "", answer)).visible).toBe(answer)
    expect(splitQuoted(text("Ann Example wrote:", "", "  Ann> One?", "", answer)).visible).toBe(answer)
    expect(splitQuoted(text("Ann Example wrote:", "| One?", "", answer)).visible).toBe(answer)
    expect(splitQuoted(text("On 5 Mar 2024, at 09:12, Ann wrote:", ") One?", ") Two?", "", answer)).visible).toBe(
      answer
    )
  })

  it("keeps a short line between two marked ones, because it may be an answer", () => {
    const long = "> Please tell us the number of your contract and the date of the last visit"
    expect(splitQuoted(text(answer, "", long, "4711", "> of our technician.")).visible).toBe(text(answer, "", "4711"))
  })

  it("keeps a short answer without blank lines between quotes", () => {
    expect(splitQuoted(text("> Is it red?", "Yes.", "> Is it big?", "No.")).visible).toBe("Yes.\n\nNo.")
    expect(splitQuoted(text("> red or blue", "red", "> big or small", "big")).visible).toBe("red\n\nbig")
  })

  it("keeps text that only looks like a quote", () => {
    for (const own of [
      text("Hello,", ">From here on it works.", "Bye"),
      text("Try this:", "", ">>> import this", ">>> 1 + 1", "2"),
      text("It says:", "", "SQL> select 1;", "SQL> quit"),
      text("Subject: sizes", "| a | b |", "| 1 | 2 |"),
      text("My colleague wrote:", "= 12 EUR each", "", "Is that right?")
    ]) {
      expect(splitQuoted(own).visible).toBe(own)
    }
  })
})

describe("signatures", () => {
  it("cuts at the delimiter, even between the text and its history", () => {
    const split = splitQuoted(
      text(answer, "", "-- ", "Bob Example", "Example Ltd", "", "On 5 Mar 2024, at 9:12, Ann wrote:", "> x")
    )
    expect(split.visible).toBe(answer)
    expect(split.signature).toBe(text("-- ", "Bob Example", "Example Ltd"))
    expect(split.quoted).toContain("> x")
  })

  it("treats two dashes far above the end as a divider", () => {
    const own = text("Part one", "--", ...Array.from({ length: 30 }, (_, index) => `point ${index}`))
    expect(splitQuoted(own).visible).toBe(own)
  })

  it.each([
    "Sent from my iPhone",
    "Sent from my Samsung Galaxy smartphone.",
    "Sent from Outlook for Android<https://aka.ms/ghei36>",
    "Get Outlook for iOS<https://aka.ms/o0ukef>",
    "Von meinem iPhone gesendet",
    "Gesendet von Outlook für iOS",
    "Envoyé de mon iPhone",
    "Enviado desde mi iPhone",
    "Enviado do meu iPhone",
    "Inviato da iPhone",
    "Verstuurd vanaf mijn iPhone",
    "Skickat från min iPhone",
    "Sendt fra min iPhone",
    "Lähetetty iPhonesta",
    "Wysłane z iPhone'a",
    "Отправлено с iPhone",
    "发自我的iPhone",
    "iPhoneから送信",
    "나의 iPhone에서 보냄"
  ])("treats %j as a signature", (line) => {
    const split = splitQuoted(
      text(answer, "", line, "", "Le 5 mars 2024 à 09:12, Ann <ann@example.com> a écrit :", "", "x")
    )
    expect(split.visible).toBe(answer)
    expect(split.signature).toBe(line)
  })

  it.each([
    "Sent from my desk, which is easier than typing on my phone.",
    "Sent from our warehouse on Monday.",
    "내 iPhone이 고장났어요",
    "Sent via courier, mail me when it is there"
  ])("keeps %j", (line) => {
    const own = text(answer, "", line)
    expect(splitQuoted(own).visible).toBe(own)
  })

  it("treats a closing with a name and contact details as a signature", () => {
    const closing = ["Kind regards,", "Bob Example", "Example Ltd", "+49 30 1234567"]
    const split = splitQuoted(text(answer, "", ...closing))
    expect(split.visible).toBe(answer)
    expect(split.signature).toBe(text(...closing))
    expect(splitQuoted(text(answer, "", "Mit freundlichen Grüßen", "", "Bob Example")).visible).toBe(answer)
    expect(splitQuoted(text(answer, "", "Bob Example", "bob@example.com", "www.example.com")).visible).toBe(answer)
  })

  it("keeps a closing with a sentence below it, and a block that the text announces", () => {
    const postscript = "PS: could you also send the invoice of last month?"
    const signed = splitQuoted(text(answer, "", "Thanks,", "Bob", "", postscript))
    expect(signed.visible).toBe(text(answer, "", postscript))
    expect(signed.signature).toBe(text("Thanks,", "Bob"))
    for (const own of [
      text("Please choose one of these:", "", "____", "Red Door", "Blue Window"),
      text("New message", "", "From: Ann Example <ann@example.com>", "Subject: Roof", "", "Can you repair my roof?"),
      text(answer, "", "Regards", "I was told that you sell these."),
      text("My details:", "", "Bob Example", "bob@example.com", "+49 30 1234567")
    ]) {
      expect(splitQuoted(own).visible).toBe(own)
    }
  })
})

describe("the HTML part", () => {
  const body = text(answer, "", "5 Mehefin, Ann Example:", history, "Mae'n bwysig.")
  const html = (mark: string): string =>
    `<div>${answer}</div><br>${mark}5 Mehefin, Ann Example:<br>${history}<br>Mae&#39;n bwysig.</div>`

  it.each([
    '<div class="gmail_quote gmail_quote_container">',
    "<div dir='ltr' CLASS = 'x gmail_quote'>",
    "<div class=gmail_quote>",
    '<div id="divRplyFwdMsg" dir="ltr">',
    "<div dir=ltr id= divRplyFwdMsg>",
    '<div class="moz-cite-prefix">',
    '<div class="yahoo_quoted" id="y1">',
    '<div class="protonmail_quote">',
    '<div><div id="appendonsend"></div>',
    '<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm">'
  ])("finds the start of unmarked history: %s", (mark) => {
    expect(splitQuoted(body).visible).toBe(body)
    expect(splitQuoted(body, html(mark)).visible).toBe(answer)
  })

  it("is not used if text follows the quote", () => {
    expect(
      splitQuoted(text(body, "And Wednesday?"), `${html('<div class="gmail_quote">')}And Wednesday?`).visible
    ).toContain(history)
  })

  it("is not used if it has a bare blockquote, or differs from the text", () => {
    expect(splitQuoted(body, html("<div><blockquote>")).visible).toBe(body)
    expect(splitQuoted(body, html('<div class="x" title="gmail_quote">')).visible).toBe(body)
    expect(splitQuoted(body, html('<div title="class" lang="gmail_quote">')).visible).toBe(body)
    expect(splitQuoted(body, `<p>Other</p>${html('<div class="gmail_quote">').replace(answer, "words")}`).visible).toBe(
      body
    )
  })
})

const pieces = fc.constantFrom(
  "On 5 Mar 2024, at 09:12, Ann <ann@example.com> wrote:",
  "-----Original Message-----",
  "From: Ann",
  "Sent: Monday",
  "To: Bob",
  "Subject: x",
  "> quoted",
  ">> deeper",
  "AB> initials",
  "| bar",
  ">:",
  "-- ",
  "Regards,",
  "Bob Example",
  "Sent from my iPhone",
  "________________",
  "A sentence of mine.",
  "",
  " ",
  "\t"
)
const bodies = fc.oneof(
  fc.array(fc.oneof(pieces, fc.string()), { maxLength: 30 }).map((lines) => lines.join("\n")),
  fc.array(pieces, { maxLength: 30 }).map((lines) => lines.join("\r\n")),
  fc.string({ unit: "binary", maxLength: 200 })
)

describe("any text", () => {
  it("is covered completely by the spans, without overlap", () => {
    fc.assert(
      fc.property(bodies, fc.option(fc.string()), (body, html) => {
        const { spans } = splitQuoted(body, html)
        expect(spans.map((span) => body.slice(span.start, span.end)).join("")).toBe(body)
        expect(spans.every((span, at) => span.start === (spans[at - 1]?.end ?? 0) && span.end > span.start)).toBe(true)
      }),
      { numRuns: 2000 }
    )
  })

  it("never loses all visible text, and shows only lines that it contains", () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const split = splitQuoted(body)
        expect(split.visible.trim() === "").toBe(body.trim() === "")
        const lines = new Set(body.split(/\r?\n/).map((line) => line.trimEnd()))
        for (const line of split.visible.split(/\r?\n/)) expect(lines.has(line.trimEnd()) || line === "").toBe(true)
      }),
      { numRuns: 2000 }
    )
  })

  it("is not split when it is too long", () => {
    const body = `${answer}\n> ${"x".repeat(maxSplitTextLength)}`
    expect(splitQuoted(body).visible).toBe(body)
  })

  it("is processed at the maximum length, even if it is hostile", () => {
    const hostile = [
      "On ",
      "wrote:\n",
      "On 1/1/20 a@b ",
      "From: a\nTo: b\n",
      "--\n\n",
      "<a@",
      ">",
      "\n",
      "AB> \n",
      "-----\n",
      "a:\n| x\n",
      "Tony> x\n",
      "Thanks\nTom Lang\n\n",
      "Thanks\n\n",
      "Sent from my iPhone\n<https://x.io>\n",
      "Sent from <<<<<<<<",
      "____\nTom Lang\n",
      "Aa Bb, ",
      `"Aa Bb" <a@b> `,
      '>>>>> "',
      "--- Aa ---\n"
    ]
    for (const piece of hostile) {
      const body = piece.repeat(maxSplitTextLength).slice(0, maxSplitTextLength)
      expect(splitQuoted(body, "<div class=".repeat(50_000)).spans.at(-1)?.end).toBe(maxSplitTextLength)
    }
  })
})
