"""Feed a file to an XML parser, one block after another; what is not XML is an error of ours that names the line."""

from __future__ import annotations

from collections.abc import Iterator
from xml.parsers import expat

from lawful.corpus.sources import Source, name_of, opened_for_reading
from lawful.errors import CorpusError

__all__ = ["feed_xml"]

_BLOCK = 1 << 16
_LONGEST = 1 << 20  # bytes of a tag: expat reads an unfinished one again with every block


def feed_xml(source: Source, parser: expat.XMLParserType) -> Iterator[None]:
    """Parse a file in blocks, and stop after each, so that the caller can hand on what its handlers made.

    Examples
    --------
    >>> import io
    >>> list(feed_xml(io.StringIO("<a>"), expat.ParserCreate()))
    Traceback (most recent call last):
    lawful.errors.CorpusError: the text, line 1: not XML: no element found
    """
    name = name_of(source)
    fed = 0
    with opened_for_reading(source) as file:
        try:
            while piece := file.read(_BLOCK):
                parser.Parse(piece, False)  # noqa: FBT003 - expat's own signature
                fed += len(piece)
                if fed - parser.CurrentByteIndex > _LONGEST:
                    problem = f"a tag, comment or declaration of more than {_LONGEST:,} bytes"
                    raise CorpusError(name, parser.CurrentLineNumber, problem)
                yield
            parser.Parse(b"", True)  # noqa: FBT003
        except expat.ExpatError as error:
            problem = f"not XML: {expat.ErrorString(error.code)}"
            raise CorpusError(name, error.lineno, problem) from None
        except UnicodeDecodeError as error:
            problem = f"not {error.encoding}: {error.reason}"
            raise CorpusError(name, parser.CurrentLineNumber, problem) from None
        except CorpusError:
            raise
        except (
            LookupError,
            ValueError,
        ) as error:  # an encoding that Python does not know, or expat cannot use
            raise CorpusError(name, parser.CurrentLineNumber, f"not XML that can be read: {error}") from None
    yield
