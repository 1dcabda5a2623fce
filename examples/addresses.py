"""US addresses: usaddress gives up when a label repeats; under its own rules there is always an answer."""

import usaddress

from lawful.adapters import usaddress as addresses

for text in ("77 W Wacker Dr Floor 12 St Paul, MN 55101", "1775 Broadway And 57th, Newyork NY"):
    try:
        fields, kind = usaddress.tag(text)
        print("usaddress:", kind)
    except usaddress.RepeatedLabelError as error:
        print("usaddress:", type(error).__name__)
    parsed = addresses.decode(text)
    for t in parsed.changed:
        print(f"  {parsed.tokens[t]}: {parsed.plain_labels[t]} -> {parsed.labels[t]}")
    print("  ", "; ".join(f"{name}: {value}" for name, value in parsed.fields.items()))
    print(f"  loss {parsed.loss:.2f}")
# prints:
# usaddress: RepeatedLabelError
#   12: StreetName -> OccupancyIdentifier
#    AddressNumber: 77; StreetNamePreDirectional: W; StreetName: Wacker; StreetNamePostType: Dr; OccupancyType: Floor; OccupancyIdentifier: 12; PlaceName: St Paul; StateName: MN; ZipCode: 55101
#   loss 0.77
# usaddress: Street Address
#    AddressNumber: 1775; StreetName: Broadway And 57th; PlaceName: Newyork; StateName: NY
#   loss 0.00
