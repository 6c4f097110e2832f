/* global document, innerWidth, innerHeight, getComputedStyle, NodeFilter */

/** Runs in the page: what it is made of, whether something ran, and what a reader sees. Opens all collapsed sections. */
export function inspectPage() {
  const isVisible = (element) => element.checkVisibility() && element.getClientRects().length > 0;
  const headingsIn = (top) =>
    [...document.querySelectorAll("h1, h2, h3, .badge")]
      .filter((each) => isVisible(each) && each.getBoundingClientRect().top < top)
      .map((each) => each.textContent.trim());
  const firstScreen = headingsIn(innerHeight);
  for (const details of document.querySelectorAll("details")) details.open = true;

  const attributes = [...document.querySelectorAll("*")].flatMap((element) => [...element.attributes]);
  return {
    firstScreen,
    title: document.title,
    ran: globalThis.owned === true,
    scripts: document.querySelectorAll("script, iframe, object, embed, link, base, form").length,
    handlers: attributes.filter(({ name }) => name.startsWith("on")).length,
    addresses: attributes
      .filter(({ name }) => ["src", "href", "xlink:href", "action", "srcset"].includes(name))
      .map(({ value }) => value),
    width: document.documentElement.scrollWidth,
    screen: innerWidth,
    language: document.documentElement.lang,
    headings: [...document.querySelectorAll("h1, h2, h3")].map(({ tagName }) => tagName).join(" "),
    tables: document.querySelectorAll("table").length,
    unscoped: document.querySelectorAll("th:not([scope])").length,
    contrast: lowestContrast(),
    pictures: [...document.querySelectorAll("svg")].filter(isVisible).map((svg) => ({
      title: svg.querySelector("title")?.textContent,
      scale: svg.getBoundingClientRect().width / svg.viewBox.baseVal.width,
      right: svg.getBoundingClientRect().right,
    })),
    narrowest: Math.min(
      innerWidth,
      ...[...document.querySelectorAll("td")].map((cell) => cell.getBoundingClientRect().width),
    ),
    text: document.body.innerText,
  };

  /** The lowest contrast of a text to the color behind it, as WCAG 2 defines it, and the text. */
  function lowestContrast() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let lowest = { ratio: 21, text: "" };
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode;
      if (textContent.trim() === "" || !isVisible(parentElement)) continue;
      const [front, back] = parentElement.closest("svg") ? inPicture(parentElement) : inText(parentElement);
      const [light, dark] = [luminance(front), luminance(back)].sort((a, b) => b - a);
      const ratio = (light + 0.05) / (dark + 0.05);
      if (ratio < lowest.ratio) lowest = { ratio, text: textContent.trim().slice(0, 80) };
    }
    return lowest;
  }

  function inText(element) {
    return [colorOf(getComputedStyle(element).color), backOf(element)];
  }

  /** A text of a picture lies on the box or plate of its group. */
  function inPicture(element) {
    const back = element.closest("g")?.querySelector("rect") ?? element.closest("svg").querySelector("rect");
    return [element, back].map((each) => colorOf(getComputedStyle(each).fill));
  }

  function backOf(element) {
    for (let each = element; each; each = each.parentElement) {
      const color = colorOf(getComputedStyle(each).backgroundColor);
      if (color[3] !== 0) return color;
    }
    return [255, 255, 255, 1];
  }

  function colorOf(text) {
    const [red, green, blue, alpha = 1] = text.match(/[\d.]+/g).map(Number);
    return [red, green, blue, alpha];
  }

  function luminance(color) {
    const [red, green, blue] = color.slice(0, 3).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }
}
