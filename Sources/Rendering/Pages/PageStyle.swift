/// How pages look. Colors are variables, one set for light and one for dark; text keeps a contrast of 4.5 to what is
/// behind it, shapes one of 3 (https://www.w3.org/TR/WCAG22/#contrast-minimum, #non-text-contrast). No `<` and no `&`: the
/// page is XML too.
enum PageStyle {
  static let text = colors + layout + parts + tables + pictures + print

  private static let light = """
    --paper: #ffffff; --panel: #f6f6f3; --shade: rgb(0 0 0 / 16%); --ink: #1d1f23; --soft: #5a5e66; --rule: #e0e0da; --strong: #8a8d93;
      --link: #1f5a96; --good: #2c6e49; --wait: #8a5600; --bad: #b3261e; --good-wash: #e9f3ec; --wait-wash: #fbf0dc;
      --bad-wash: #fbe9e7; --plain-wash: #eeeeea; --s1: #3b6ea8; --s2: #c27a17; --s3: #3f8f6b; --s4: #a8527c;
      --s5: #7766b0; --s6: #4b93a6; --so: #85857e; --a1: #7393bd; --a2: #6286b5; --a3: #5178aa; --a4: #3f6699;
      --a5: #2f5480; --a6: #1d3a5e;
    """

  private static let dark = """
    --paper: #15171a; --panel: #1c1f23; --shade: rgb(0 0 0 / 60%); --ink: #e9e9e5; --soft: #a5a9b0; --rule: #31353b; --strong: #777c85;
      --link: #8cbcee; --good: #82c99b; --wait: #efb85a; --bad: #ff9086; --good-wash: #1b2b21; --wait-wash: #30260f;
      --bad-wash: #371c1a; --plain-wash: #262a2f; --s1: #6b9fdb; --s2: #dd9a3f; --s3: #5fb389; --s4: #cc7ba4;
      --s5: #9b8bd6; --s6: #6db5c8; --so: #92928b; --a1: #4d6a8c; --a2: #5f82ab; --a3: #7599c6; --a4: #92b3dc;
      --a5: #b4cdec; --a6: #d8e6f7;
    """

  private static let colors = """
    :root { color-scheme: light dark; \(light) }
    @media (prefers-color-scheme: dark) { :root { \(dark) } }

    """

  private static let layout = """
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
    @media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
    body { margin: 0 auto; max-width: 70rem; padding: 0 clamp(1rem, 4vw, 3rem) 4rem; background: var(--paper);
      color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
      font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
    a { color: var(--link); text-underline-offset: 0.15em; text-decoration-thickness: 0.06em; }
    a:hover { text-decoration-thickness: 0.12em; }
    :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
    main:focus { outline: none; }
    .skip { position: absolute; left: -100vw; padding: 0.5rem 1rem; background: var(--paper); }
    .skip:focus { left: 1rem; top: 0.5rem; z-index: 2; }
    .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
      white-space: nowrap; }
    .symbols { position: absolute; }
    header { padding: clamp(1.25rem, 3vw, 2.25rem) 0 0; }
    .origin { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.15rem 2rem; margin: 0;
      max-width: none; }
    .made, .identity { color: var(--soft); font-size: 0.88rem; }
    .identity { margin: 0.1rem 0 0; max-width: none; }
    .switch { margin-left: 0.4rem; padding: 0.05rem 0.55rem; border: 1px solid var(--strong); border-radius: 1rem;
      background: none; color: var(--link); font: inherit; font-size: 0.85rem; cursor: pointer; }
    h1 { margin: 1.5rem 0 0.9rem; font-size: clamp(1.2rem, 1rem + 0.9vw, 1.55rem); font-weight: 500;
      line-height: 1.35; letter-spacing: -0.01em; }
    .word { display: block; margin-bottom: 0.3rem; font-size: clamp(1.9rem, 1.4rem + 2vw, 2.8rem);
      font-weight: 680; line-height: 1.15; letter-spacing: -0.02em; }
    .word::before { content: ""; display: inline-block; width: 0.62em; height: 0.62em; margin-right: 0.32em;
      border-radius: 50%; background: currentColor; vertical-align: 0.03em; }
    .waiting .word::before { border-radius: 0; clip-path: polygon(50% 0, 100% 100%, 0 100%); }
    .bad .word::before { border-radius: 0.1em; }
    .news { display: block; max-width: 62ch; }
    .good .word { color: var(--good); }
    .waiting .word { color: var(--wait); }
    .bad .word { color: var(--bad); }
    .fix { margin: 0 0 0.6rem; padding: 0.65rem 1rem; max-width: 78ch; border-left: 4px solid var(--link);
      border-radius: 0.3rem; background: var(--panel); }
    time, .zone { white-space: nowrap; }
    h2 { margin: 0 0 1.25rem; font-size: 1.4rem; font-weight: 620; line-height: 1.25; letter-spacing: -0.01em; }
    h3 { margin: 0; font-size: 1.02rem; font-weight: 620; line-height: 1.35; }
    p { margin: 0 0 1rem; max-width: 70ch; }
    .lead { margin-bottom: 0.4rem; }
    .notice { max-width: none; margin: 0.7rem 0 0; color: var(--soft); font-size: 0.85rem; }
    nav { margin: 0.6rem 0 0; }
    nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.4rem; margin: 0; padding: 0; list-style: none;
      font-size: 0.92rem; }
    nav a { display: inline-block; padding: 0.25rem 0; }
    section { padding-top: 2.75rem; }
    footer { margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--rule); color: var(--soft);
      font-size: 0.85rem; }

    """

  private static let parts = """
    .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.6rem, 1fr)); gap: 1px;
      margin: 1rem 0 0; padding: 1px; border-radius: 0.4rem; overflow: hidden; }
    .figures div { position: relative; padding: 0.6rem 0.8rem; box-shadow: 0 0 0 1px var(--rule); }
    .figures div:hover { background: var(--panel); }
    .figures dt { font-size: 0.85rem; }
    .figures dt a { text-decoration: none; }
    .figures dt a::after { content: ""; position: absolute; inset: 0; }
    .figures dt a:focus-visible { outline: none; }
    .figures div:focus-within { outline: 2px solid var(--link); outline-offset: -2px; }
    .figures dd { margin: 0; }
    .figures .value { font-size: 1.4rem; font-weight: 600; line-height: 1.25; letter-spacing: -0.02em; }
    .figures .note { color: var(--soft); font-size: 0.85rem; line-height: 1.4; }
    .figures .bad .value { color: var(--bad); }
    .figures .waiting .value { color: var(--wait); }
    .figures .good .value { color: var(--good); }
    .sentences { margin: 0 0 1rem; padding-left: 1.2rem; max-width: 70ch; }
    .sentences li { margin-bottom: 0.35rem; }
    .pairs { margin: 0 0 1.5rem; font-size: 0.93rem; }
    .pairs div { display: grid; grid-template-columns: minmax(7rem, 11rem) 1fr; gap: 0 1.25rem;
      padding: 0.45rem 0; border-top: 1px solid var(--rule); }
    .pairs dt { color: var(--soft); }
    .pairs dd { margin: 0; max-width: 75ch; }
    .badge { display: inline-block; padding: 0.05rem 0.5rem; border-radius: 0.3rem; font-size: 0.8rem;
      font-weight: 600; line-height: 1.5; white-space: nowrap; background: var(--plain-wash); color: var(--ink); }
    .badge.bad { background: var(--bad-wash); color: var(--bad); }
    .badge.waiting { background: var(--wait-wash); color: var(--wait); }
    .badge.good { background: var(--good-wash); color: var(--good); }
    .card { margin: 0 0 0.9rem; padding: 0.9rem 1.2rem; border: 1px solid var(--rule);
      border-left: 4px solid var(--strong); border-radius: 0.4rem; }
    .card.bad { border-left-color: var(--bad); }
    .card.waiting { border-left-color: var(--wait); }
    .card h3 { margin-bottom: 0.4rem; }
    .card p { margin-bottom: 0.5rem; max-width: 80ch; }
    .card details { margin-top: 0.4rem; }
    .card .pairs { margin: 0.5rem 0 1rem; }
    .card .badge { margin-right: 0.35rem; vertical-align: 0.06em; }
    details { margin-top: 0.9rem; font-size: 0.93rem; }
    summary { width: fit-content; padding: 0.15rem 0; color: var(--link); cursor: pointer; }
    details + details { margin-top: 0.3rem; }
    details .scroll { margin-top: 0.5rem; }
    @media screen and (max-width: 34rem) {
      .pairs div { grid-template-columns: 1fr; }
      .card { padding: 0.8rem 0.9rem; }
      .figures { grid-template-columns: 1fr 1fr; }
      .figures div { padding: 0.45rem 0.7rem; }
      .figures .value { font-size: 1.2rem; }
    }

    """

  private static let tables = """
    .scroll { overflow-x: auto; background:
      linear-gradient(to right, var(--paper) 30%, transparent) left / 3rem 100% no-repeat local,
      linear-gradient(to left, var(--paper) 30%, transparent) right / 3rem 100% no-repeat local,
      linear-gradient(to right, var(--shade), transparent) left / 0.9rem 100% no-repeat scroll,
      linear-gradient(to left, var(--shade), transparent) right / 0.9rem 100% no-repeat scroll; }
    section > .of-table { margin-bottom: 2.25rem; }
    .printed { display: none; }
    table { width: 100%; border-collapse: collapse; font-size: 0.9rem; line-height: 1.4; overflow-wrap: normal; }
    h3.of-table { margin: 0 0 0.6rem; }
    .number + td:not(.number), .number + th:not(.number) { padding-left: 0.6rem; }
    th, td { padding: 0.42rem 1.1rem 0.42rem 0; border-bottom: 1px solid var(--rule); text-align: left;
      vertical-align: top; font-weight: 400; unicode-bidi: isolate; }
    th:last-child, td:last-child { padding-right: 0; }
    thead th { color: var(--soft); font-size: 0.83rem; vertical-align: bottom; border-bottom-color: var(--strong);
      white-space: nowrap; }
    .number { text-align: right; white-space: nowrap; }
    .zero { color: var(--soft); }
    td:last-child:not(.number):not(.date) { min-width: 12rem; }
    .date, .name { white-space: nowrap; }
    .digits { overflow-wrap: anywhere; }
    thead [role] { cursor: pointer; }
    thead [role]:hover { color: var(--ink); }
    thead [role]::after { content: "\\2195"; padding-left: 0.3em; opacity: 0.6; font-size: 0.9em; }
    [aria-sort="ascending"] [role]::after { content: "\\2191"; opacity: 1; }
    [aria-sort="descending"] [role]::after { content: "\\2193"; opacity: 1; }
    [aria-sort] [role] { color: var(--ink); }
    .filter { margin: 0 0 0.75rem; font-size: 0.9rem; color: var(--soft); }
    .filter input { width: 14rem; max-width: 100%; margin: 0 0.5rem 0 0.25rem; padding: 0.3rem 0.55rem;
      border: 1px solid var(--strong); border-radius: 0.3rem; background: var(--paper); color: var(--ink);
      font: inherit; }
    .more, .empty { color: var(--soft); font-size: 0.9rem; }
    @media screen and (max-width: 44rem) {
      .cards, .cards tbody, .cards tr { display: block; }
      .cards thead { display: none; }
      .cards tr { display: flex; flex-wrap: wrap; gap: 0.1rem 1.1rem; padding: 0.6rem 0;
        border-bottom: 1px solid var(--rule); }
      .cards tr[hidden] { display: none; }
      .cards tbody tr th:nth-child(n), .cards tbody tr td:nth-child(n) { min-width: 0; padding: 0; border: 0; text-align: left; overflow-wrap: anywhere; }
      .cards tbody th { flex-basis: 100%; font-weight: 620; white-space: normal; }
      .cards td { white-space: normal; }
      .cards td::before { content: attr(data-l) " "; color: var(--soft); font-size: 0.92em; }
      .cards td:empty, .cards .zero { display: none; }
    }

    """

  private static let pictures = """
    .picture { min-width: 0; margin: 0 0 2.25rem; }
    figure { min-width: 0; margin: 0; }
    figcaption { margin-bottom: 0.8rem; }
    figcaption p { margin: 0.2rem 0 0; color: var(--soft); font-size: 0.93rem; }
    .side { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 0 3.5rem; }
    svg { display: block; overflow: visible; }
    svg text { font: 0.78rem system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
      fill: var(--ink); font-variant-numeric: tabular-nums; }
    svg text.tick { fill: var(--soft); font-size: 0.75rem; }
    svg text.value { paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
    .grid { stroke: var(--rule); stroke-width: 1; shape-rendering: crispEdges; }
    .foot { stroke: var(--strong); stroke-width: 1; shape-rendering: crispEdges; }
    .s1 { fill: var(--s1); } .s2 { fill: var(--s2); } .s3 { fill: var(--s3); } .s4 { fill: var(--s4); }
    .s5 { fill: var(--s5); } .s6 { fill: var(--s6); } .so { fill: var(--so); } .a1 { fill: var(--a1); }
    .a2 { fill: var(--a2); } .a3 { fill: var(--a3); } .a4 { fill: var(--a4); } .a5 { fill: var(--a5); }
    .a6 { fill: var(--a6); } rect.good, svg.good { fill: var(--s3); } rect.wait, svg.wait { fill: var(--s2); }
    rect.bad, svg.bad { fill: var(--bad); }
    .m-done { fill: var(--s1); } .m-noise { fill: var(--paper); stroke: var(--soft); stroke-width: 1.6; }
    .m-open { fill: var(--paper); stroke: var(--soft); stroke-width: 1.6; stroke-dasharray: 2 1.5; }
    .m-failed { fill: none; stroke: var(--bad); stroke-width: 2.6; stroke-linecap: round; }
    svg text.times { font-size: 0.65rem; text-anchor: middle; }
    .k { cursor: default; outline: none; }
    .hint rect { fill: transparent; }
    .hint.on rect { fill: var(--shade); }
    .lanes .on use { stroke: var(--ink); stroke-width: 3; }
    .tip { position: absolute; z-index: 3; max-width: min(26rem, calc(100vw - 1rem)); padding: 0.45rem 0.7rem;
      border-radius: 0.35rem; background: var(--ink); color: var(--paper); font-size: 0.82rem; line-height: 1.4;
      white-space: pre-line; pointer-events: none; }
    .tip[hidden] { display: none; }
    .multiples, .bars, .legend { margin: 0; padding: 0; list-style: none; font-size: 0.88rem; }
    .plot, .multiples li { display: grid; grid-template-columns: 10rem minmax(0, 1fr) 3.5rem; gap: 0 0.75rem; }
    .multiples { margin-top: 0.9rem; }
    .multiples li { align-items: end; padding: 0.35rem 0; border-bottom: 1px solid var(--rule); }
    .multiples li:last-child { border-bottom: 0; }
    .bars li { display: grid; grid-template-columns: 15rem minmax(0, 1fr) 4rem; gap: 0 0.9rem;
      align-items: center; padding: 0.28rem 0; }
    .side .bars li { grid-template-columns: 8.5rem minmax(0, 1fr) 3rem; }
    .bars .parts { grid-column: 2 / -1; color: var(--soft); font-size: 0.8rem; line-height: 1.35; }
    .bars .bar { background: var(--panel); border-radius: 2px; }
    .bars rect, .multiples rect { stroke: none; }
    .multiples .name, .bars .name { overflow-wrap: anywhere; white-space: normal; line-height: 1.25; }
    .swatch { display: inline-block; margin-right: 0.5rem; vertical-align: -0.02em; flex: none; }
    .legend { display: flex; flex-wrap: wrap; gap: 0.2rem 1.3rem; margin: 0 0 0.75rem; color: var(--soft); }
    .legend li { display: flex; align-items: center; }
    .lanes + .legend { margin: 0.75rem 0 0; }
    .sign { margin-right: 0.4rem; }
    .graph { max-width: 100%; height: auto; margin: 0 auto; }
    .graph.large { min-width: 44rem; }
    .graph.huge { max-width: none; margin: 0; }
    @media screen {
      .scroll:has(.huge) { margin-inline: calc(-1 * max(0px, (100vw - 70rem) / 2)); }
    }
    .box rect { fill: var(--panel); stroke: var(--strong); }
    .box.abstract rect { stroke-dasharray: 4 3; }
    .box.on rect, .box.found rect { stroke: var(--link); stroke-width: 2.5; }
    .searched .box:not(.found) { opacity: 0.35; }
    svg .box .label { font-size: 0.8rem; font-weight: 600; }
    .edge path { fill: none; stroke: var(--soft); stroke-width: 1.2; }
    .edge .head { fill: var(--paper); }
    .edge.inherits path { stroke: var(--s3); }
    .edge.on path { stroke: var(--link); stroke-width: 2.2; }
    .edge .hit, .edge.on .hit, .edge.inherits .hit { stroke: transparent; stroke-width: 11; }
    @media screen and (max-width: 34rem) {
      .inner, .many { display: none; }
      .plot { grid-template-columns: 2.4rem minmax(0, 1fr); gap: 0 0.4rem; }
      .multiples li, .bars li, .side .bars li { grid-template-columns: minmax(0, 1fr) auto; gap: 0.15rem 0.6rem; }
      .multiples li .name, .bars li .name { grid-area: 1 / 1; }
      .multiples li .number, .bars li .number { grid-area: 1 / 2; }
      .multiples .strip, .bars .bar, .bars .parts { grid-column: 1 / -1; }
      .multiples .strip { width: calc(100% - 2.8rem); margin-left: 2.8rem; }
    }

    """

  private static let print = """
    @page { margin: 16mm 14mm; }
    @media print {
      :root { color-scheme: light; \(light) }
      html { font-size: 10pt; }
      body { max-width: none; padding: 0; }
      header { padding-top: 0; }
      nav, .skip { display: none; }
      section { padding-top: 1.4rem; }
      h1 { margin-top: 0.8rem; }
      h2, h3, figcaption, summary, thead { break-after: avoid; }
      h2 + *, tbody tr:first-child { break-before: avoid; }
      figure, .card h3, .figures, .figures div, tr, .pairs div, .short { break-inside: avoid; }
      .scroll { overflow: visible; background: none; }
      .side { display: block; }
      .card .cards, .card .cards tbody { display: block; }
      .card .cards thead { display: none; }
      .card .cards tr { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: 0.2rem 0; border-bottom: 1px solid var(--rule); }
      .card .cards tbody tr th, .card .cards tbody tr td { padding: 0; border: 0; }
      .card .cards td::before { content: attr(data-l) " "; color: var(--soft); }
      .card .cards td:empty { display: none; }
      .graph, .graph.large, .graph.huge { min-width: 0; max-width: 100%; }
      .filter, .switch, .tip { display: none; }
      .figures { grid-template-columns: repeat(auto-fit, minmax(6rem, 1fr)); }
      .card, details { break-inside: auto; }
      summary { color: inherit; font-weight: 620; }
      details::details-content { content-visibility: visible; block-size: auto; }
      table { font-size: 8.5pt; }
      th, td { padding: 0.25rem 0.6rem 0.25rem 0; }
      thead { display: table-header-group; break-inside: avoid; }
      tbody tr:nth-child(n + 21) { display: none; }
      .printed { display: block; }
      a { color: inherit; text-decoration: none; }
      thead [role]::after { content: ""; }
      svg, .badge, .fix, .word::before { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
    }
    """
}
