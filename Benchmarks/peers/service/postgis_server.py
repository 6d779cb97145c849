"""The service that one would write otherwise: a query of PostGIS for each request, behind aiohttp and asyncpg.

    postgis_server.py SOCKET_DIRECTORY PORT

`GET /areas/HANDLE?since=T` returns the reports of an area that arrived since T, `GET /areas/HANDLE` all of two hours, in JSON.
"""
import sys
import time

import asyncpg
from aiohttp import web

QUERY = """
select coalesce(json_agg(json_build_object('id', r.id, 'alt', r.alt, 'sev', r.sev, 'edr', r.edr, 'observedAt', r.observed_at)), '[]')
from area a join report r on ST_Contains(a.shape, r.place)
where a.handle = $1 and r.arrived_at >= $2 and r.observed_at > $3"""


async def answer(request):
    now = int(time.time())
    since = int(request.query.get("since", 0))
    async with request.app["pool"].acquire() as connection:
        hexagons = await connection.fetchval(QUERY, request.match_info["handle"], since, now - 7200)
    return web.Response(text=f'{{"data":{{"lastUpdatedAt":{now},"hexagons":{hexagons}}}}}', content_type="application/json")


async def connect(app):
    app["pool"] = await asyncpg.create_pool(
        host=sys.argv[1], port=5432, user="postgres", database="postgres", min_size=10, max_size=10)


application = web.Application()
application.router.add_get("/areas/{handle}", answer)
application.on_startup.append(connect)
web.run_app(application, host="127.0.0.1", port=int(sys.argv[2]), reuse_port=True, print=None, access_log=None)
