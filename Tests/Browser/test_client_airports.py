"""The airports of the service, as the client for browsers finds them."""
import json
import math

from live import is_as_declared
from test_client import Flight


def found(tab, call):
    """What a call of `client.airports` returns: the airports, or the code and scope of its error, and whether it is transient."""
    return tab.value(f"await client.airports.{call}.catch((error) => ({{ code: error.code, scope: error.scope, isTransient: error.isTransient }}))")


def ids(airports):
    return [airport["icaoID"] for airport in airports]


def distance(a, b):
    """The angle between two places, in radians."""
    (east, north), (west, south) = [[math.radians(degrees) for degrees in place] for place in (a, b)]
    return 2 * math.asin(math.sqrt(math.sin((north - south) / 2) ** 2 + math.cos(north) * math.cos(south) * math.sin((east - west) / 2) ** 2))


def test_airports_are_found_by_words_identifiers_and_places(viewer):
    with Flight(viewer, "--sample-airports") as flight:
        tab = flight.tab(settings=None)
        heathrow = found(tab, "searchById('egll')")
        assert heathrow["icaoID"] == "EGLL" and len(heathrow["runways"]) == 2, heathrow
        assert is_as_declared(heathrow, "Airport") and all(is_as_declared(runway, "Runway") for runway in heathrow["runways"]), heathrow
        assert found(tab, f"searchById({json.dumps(heathrow['id'])})") == heathrow
        for missing in ("no such/id?&", ""):
            assert found(tab, f"searchById('{missing}').then((airport) => airport === null)") is True
        # The airport with that identifier comes first, and once.
        assert found(tab, "search('Field of EGLL')") == [heathrow]
        words = found(tab, "search(' egll ')")
        assert words[0] == heathrow and ids(words).count("EGLL") == 1
        many = found(tab, "search('field')")
        assert len(many) == 25
        lengths = [airport["runways"][0]["lengthFeet"] for airport in many]
        assert lengths == sorted(lengths, reverse=True) and len(set(lengths)) > 1
        assert len(found(tab, "search('field', 7)")) == 7 and found(tab, "search('field', 0)") == []
        assert len(found(tab, "search('field', 1000)")) == min(100, len(found(tab, "search('field', 100)")))
        assert found(tab, "search('')") == [] and found(tab, "search('no such place')") == []
        place = heathrow["position"]
        near = found(tab, f"searchNearest({place})")
        assert near[0] == heathrow and len(near) == 10
        distances = [distance(place, airport["position"]) for airport in near]
        assert distances == sorted(distances), distances
        assert ids(found(tab, f"searchNearest({place}, 3)")) == ids(near)[:3]


def test_why_airports_are_not_found_is_told(viewer):
    with Flight(viewer, "--sample-airports", keys=["right"]) as flight:
        tab = flight.tab(settings=None, apiKey="wrong")
        assert found(tab, "search('egll')") == {"code": "unauthorized", "scope": "airports", "isTransient": False}
        tab.value("(client.setAPIKey('right'), await client.opened())")
        tab.until("client.airports.searchById('egll').then((airport) => airport?.icaoID === 'EGLL', () => false)")
        tab.value("(client.isOnline = false, null)")
        network = {"code": "network", "scope": "airports", "isTransient": True}
        assert found(tab, "search('egll')") == network
        flight.service.stop()
        tab.value("(client.isOnline = true, null)")
        assert found(tab, "search('egll')") == network
