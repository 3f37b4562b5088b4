/// What pages do beyond showing: tables are sorted by their headings, and long ones filtered. Everything is there without
/// it. No `<` and no `&`: the page is XML too.
enum PageScript {
  static let text = """
    (function () {
      "use strict";
      var rowsForFilter = 8;
      function value(row, index) {
        var cell = row.cells[index];
        var own = cell.getAttribute("data-v");
        return own === null ? cell.textContent.trim() : own;
      }
      function sort(table, index, falls) {
        var body = table.tBodies[0];
        var rows = Array.from(body.rows);
        var isNumeric = rows.every(function (row) { return isFinite(value(row, index)); });
        rows.sort(function (one, other) {
          var a = value(one, index);
          var b = value(other, index);
          if (a === "" || b === "") { return (a === "" ? 1 : 0) - (b === "" ? 1 : 0); }
          var order = isNumeric ? a - b : a.localeCompare(b, "en", { numeric: true });
          return falls ? -order : order;
        });
        rows.forEach(function (row) { body.appendChild(row); });
      }
      function makeSortable(table) {
        Array.from(table.tHead.rows[0].cells).forEach(function (heading, index) {
          var button = document.createElement("button");
          button.type = "button";
          button.textContent = heading.textContent;
          heading.textContent = "";
          heading.appendChild(button);
          button.addEventListener("click", function () {
            var falls = heading.getAttribute("aria-sort") === "ascending";
            Array.from(table.tHead.rows[0].cells).forEach(function (other) { other.removeAttribute("aria-sort"); });
            heading.setAttribute("aria-sort", falls ? "descending" : "ascending");
            sort(table, index, falls);
          });
        });
      }
      function makeFilter(table, number) {
        var rows = Array.from(table.tBodies[0].rows);
        if (rowsForFilter > rows.length) { return; }
        var box = document.createElement("p");
        box.className = "filter";
        var label = document.createElement("label");
        label.htmlFor = "filter-" + number;
        label.textContent = "Filter ";
        var field = document.createElement("input");
        field.type = "search";
        field.id = label.htmlFor;
        field.setAttribute("aria-label", "Filter " + table.caption.textContent);
        var result = document.createElement("span");
        result.setAttribute("role", "status");
        box.append(label, field, result);
        table.parentElement.before(box);
        field.addEventListener("input", function () {
          var word = field.value.trim().toLowerCase();
          var shown = 0;
          rows.forEach(function (row) {
            var isShown = row.textContent.toLowerCase().includes(word);
            row.hidden = !isShown;
            shown += isShown ? 1 : 0;
          });
          result.textContent = word === "" ? "" : " " + shown + " of " + rows.length + " rows";
        });
      }
      Array.from(document.querySelectorAll("main table")).forEach(function (table, number) {
        makeSortable(table);
        makeFilter(table, number);
      });
    })();
    """
}
