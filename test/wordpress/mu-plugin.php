<?php
/**
 * Plugin Name: Bookshop (test plugin of toolpress)
 * Description: One ability or route for each thing that a client of WordPress's REST API has to get right.
 *
 * What each is for: README.md beside this file.
 */

const BOOKSHOP_BOOKS = array(
	21 => array( 'title' => 'Middlemarch', 'price' => 12.5, 'in_stock' => true, 'tags' => array( 'fiction', 'classic' ) ),
	22 => array( 'title' => 'The Summer Book', 'price' => 9.95, 'in_stock' => true, 'tags' => array( 'fiction' ) ),
	23 => array( 'title' => 'Collected Haiku', 'price' => 15.0, 'in_stock' => false, 'tags' => array( 'poetry' ) ),
	24 => array( 'title' => 'The Book of Bread', 'price' => 28.0, 'in_stock' => true, 'tags' => array( 'cooking' ) ),
	25 => array( 'title' => 'Émile and the Detectives', 'price' => 7.25, 'in_stock' => true, 'tags' => array( 'children', 'fiction' ) ),
	26 => array( 'title' => 'Atlas of Quiet Places', 'price' => 34.0, 'in_stock' => false, 'tags' => array( 'travel' ) ),
);

function bookshop_may_read(): bool {
	return current_user_can( 'read' );
}

/** The shape of a value with PHP's type in place of every scalar. */
function bookshop_types( $value ) {
	return is_array( $value ) && $value ? array_map( 'bookshop_types', $value ) : gettype( $value );
}

/** PHP's empty array is `[]` in JSON; where a map is meant, this makes it `{}`. */
function bookshop_map( ?array $map ) {
	return array() === $map ? new stdClass() : $map;
}

function bookshop_price( int $id ) {
	$prices = get_option( 'bookshop_prices', array() );
	return $prices[ $id ] ?? BOOKSHOP_BOOKS[ $id ]['price'] ?? null;
}

function bookshop_find( array $input ): array {
	$found = array();
	foreach ( BOOKSHOP_BOOKS as $id => $book ) {
		if ( isset( $input['query'] ) && '' !== $input['query'] && false === stripos( $book['title'], (string) $input['query'] ) ) {
			continue;
		}
		if ( ! empty( $input['tags'] ) && ! array_intersect( (array) $input['tags'], $book['tags'] ) ) {
			continue;
		}
		if ( isset( $input['in_stock'] ) && (bool) $input['in_stock'] !== $book['in_stock'] ) {
			continue;
		}
		$found[] = array(
			'id'       => $id,
			'title'    => $book['title'],
			'price'    => bookshop_price( $id ),
			'in_stock' => $book['in_stock'],
		);
	}
	return array_slice( $found, 0, (int) ( $input['limit'] ?? 10 ) );
}

// --- abilities ---------------------------------------------------------------------------------

add_action(
	'wp_abilities_api_categories_init',
	static function () {
		wp_register_ability_category(
			'bookshop',
			array(
				'label'       => 'Bookshop',
				'description' => 'What the staff of a small bookshop does.',
			)
		);
	}
);

/** Registers one ability of the shop; only what differs from the usual is given. */
function bookshop_ability( string $name, string $label, string $description, array $args ): void {
	$args['meta'] = ( $args['meta'] ?? array() ) + array( 'show_in_rest' => true );
	wp_register_ability(
		"bookshop/$name",
		$args + array(
			'label'               => $label,
			'description'         => $description,
			'category'            => 'bookshop',
			'permission_callback' => 'bookshop_may_read',
		)
	);
}

/** The annotations of an ability that only reads. */
const BOOKSHOP_READONLY = array(
	'annotations' => array(
		'readonly'    => true,
		'destructive' => false,
		'idempotent'  => true,
	),
);

const BOOKSHOP_WRITES = array(
	'annotations' => array(
		'readonly'    => false,
		'destructive' => false,
		'idempotent'  => false,
	),
);

/** Properties of a schema as many plugins write them. */
const BOOKSHOP_STRANGE = array(
	'when'    => array(
		'type'        => 'date-time',
		'description' => 'No type of JSON Schema.',
	),
	'name'    => array(
		'type'              => 'string',
		'required'          => true,
		'sanitize_callback' => 'sanitize_text_field',
	),
	'size'    => array(
		'type' => 'string',
		'enum' => array(
			3 => 'small',
			7 => 'large',
		),
	),
	'things'  => array( 'type' => 'array' ),
	'options' => array(
		'type'       => 'object',
		'properties' => array(),
		'default'    => array(),
	),
);

add_action(
	'wp_abilities_api_init',
	static function () {
		if ( ! function_exists( 'wp_register_ability' ) ) {
			return;
		}

		bookshop_ability(
			'search-books',
			'Search books',
			'Finds books whose title contains the query.',
			array(
				'input_schema'     => array(
					'type'                 => 'object',
					'properties'           => array(
						'query'    => array(
							'type'        => 'string',
							'description' => 'Part of the title.',
						),
						'limit'    => array(
							'type'        => 'integer',
							'description' => 'How many at most.',
							'minimum'     => 1,
							'maximum'     => 50,
							'default'     => 10,
						),
						'tags'     => array(
							'type'        => 'array',
							'description' => 'Only books with one of these tags.',
							'items'       => array( 'type' => 'string' ),
						),
						'in_stock' => array(
							'type'        => 'boolean',
							'description' => 'Only books that are, or are not, in stock.',
						),
					),
					'required'             => array( 'query' ),
					'additionalProperties' => false,
				),
				'output_schema'    => array(
					'type'       => 'object',
					'properties' => array(
						'books' => array(
							'type'  => 'array',
							'items' => array(
								'type'       => 'object',
								'properties' => array(
									'id'       => array( 'type' => 'integer' ),
									'title'    => array( 'type' => 'string' ),
									'price'    => array( 'type' => 'number' ),
									'in_stock' => array( 'type' => 'boolean' ),
								),
							),
						),
						'echo'  => array(
							'type'        => 'object',
							'description' => 'The input as PHP received it.',
						),
					),
				),
				'execute_callback' => static fn( $input ) => array(
					'books' => bookshop_find( $input ),
					'echo'  => array(
						'input' => bookshop_map( $input ),
						'types' => bookshop_types( $input ),
					),
				),
				'meta'             => BOOKSHOP_READONLY + array(
					'public' => true,
					'mcp'    => array( 'public' => true ),
				),
			)
		);

		bookshop_ability(
			'shop-hours',
			'Shop hours',
			'Says when the shop is open.',
			array(
				'output_schema'    => array( 'type' => 'string' ),
				'execute_callback' => static fn() => 'Tuesday to Sunday, 9:00 to 18:00',
				'meta'             => BOOKSHOP_READONLY,
			)
		);

		$filter = array(
			'type'                 => 'object',
			'properties'           => array(
				'in_stock' => array(
					'type'        => 'boolean',
					'description' => 'Only books that are, or are not, in stock.',
				),
			),
			'additionalProperties' => false,
		);

		bookshop_ability(
			'count-books',
			'Count books',
			'Counts the books of the shop.',
			array(
				'input_schema'     => $filter + array( 'default' => array() ),
				'output_schema'    => array( 'type' => 'integer' ),
				'execute_callback' => static fn( $input ) => count( bookshop_find( $input ) ),
				'meta'             => BOOKSHOP_READONLY,
			)
		);

		bookshop_ability(
			'list-genres',
			'List genres',
			'Lists the genres on the shelves.',
			array(
				'input_schema'     => $filter,
				'output_schema'    => array(
					'type'  => 'array',
					'items' => array( 'type' => 'string' ),
				),
				'execute_callback' => static function ( $input ) {
					$genres = array();
					foreach ( bookshop_find( $input ) as $book ) {
						array_push( $genres, ...BOOKSHOP_BOOKS[ $book['id'] ]['tags'] );
					}
					sort( $genres );
					return array_values( array_unique( $genres ) );
				},
				'meta'             => BOOKSHOP_READONLY,
			)
		);

		bookshop_ability(
			'book-price',
			'Book price',
			'Says what a book costs.',
			array(
				'input_schema'     => array(
					'type'        => 'integer',
					'description' => 'The number of the book.',
				),
				'output_schema'    => array( 'type' => 'number' ),
				'execute_callback' => static fn( $id ) => bookshop_price( (int) $id )
					?? new WP_Error( 'bookshop_no_such_book', 'There is no such book.', array( 'status' => 404 ) ),
				'meta'             => BOOKSHOP_READONLY,
			)
		);

		bookshop_ability(
			'set-price',
			'Set a price',
			'Overwrites the price of a book.',
			array(
				'input_schema'     => array(
					'type'       => 'object',
					'properties' => array(
						'id'    => array(
							'type'        => 'integer',
							'description' => 'The number of the book.',
						),
						'price' => array(
							'type'        => 'number',
							'description' => 'The new price.',
							'minimum'     => 0,
						),
					),
					'required'   => array( 'id', 'price' ),
				),
				'execute_callback' => static function ( $input ) {
					$prices                        = get_option( 'bookshop_prices', array() );
					$prices[ (int) $input['id'] ] = $input['price'];
					update_option( 'bookshop_prices', $prices );
					return array(
						'id'    => $input['id'],
						'price' => get_option( 'bookshop_prices' )[ (int) $input['id'] ],
					);
				},
				'meta'             => array(
					'annotations' => array(
						'readonly'    => false,
						'destructive' => true,
						'idempotent'  => true,
					),
				),
			)
		);

		bookshop_ability(
			'add-note',
			'Add a note',
			'Appends a note to the shop\'s notebook.',
			array(
				'input_schema'     => array(
					'type'       => 'object',
					'properties' => array(
						'text' => array(
							'type'        => 'string',
							'description' => 'What to remember.',
							'minLength'   => 1,
							'maxLength'   => 500,
						),
					),
					'required'   => array( 'text' ),
				),
				'execute_callback' => static function ( $input ) {
					$notes   = get_option( 'bookshop_notes', array() );
					$notes[] = $input['text'];
					update_option( 'bookshop_notes', $notes );
					return array(
						'id'   => count( $notes ),
						'text' => $input['text'],
					);
				},
				'meta'             => BOOKSHOP_WRITES,
			)
		);

		bookshop_ability(
			'restock',
			'Restock a book',
			'Orders more copies of a book.',
			array(
				'input_schema'     => array(
					'type'       => 'object',
					'properties' => array(
						'id'     => array( 'type' => 'integer' ),
						'amount' => array(
							'type'    => 'integer',
							'default' => 1,
						),
					),
					'required'   => array( 'id' ),
				),
				'execute_callback' => static fn( $input ) => array( 'id' => $input['id'] ) + array( 'amount' => $input['amount'] ?? 1 ),
			)
		);

		bookshop_ability(
			'broken-printer',
			'Broken printer',
			'Prints a label, if the printer ever works.',
			array(
				'execute_callback' => static fn() => new WP_Error( 'bookshop_printer_offline', 'The printer is offline.', array( 'status' => 503 ) ),
				'meta'             => BOOKSHOP_READONLY,
			)
		);

		bookshop_ability(
			'throws',
			'Throws',
			'Fails with an exception.',
			array(
				'execute_callback' => static function () {
					throw new RuntimeException( 'db password hunter2' );
				},
				'meta'             => BOOKSHOP_READONLY,
			)
		);

		bookshop_ability(
			'owner-only',
			'Owner only',
			'Nobody is the owner.',
			array(
				'execute_callback'    => static fn() => 'never',
				'permission_callback' => '__return_false',
				'meta'                => BOOKSHOP_READONLY,
			)
		);

		bookshop_ability(
			'hidden',
			'Hidden',
			'Not to be seen over REST.',
			array(
				'execute_callback' => static fn() => 'never',
				'meta'             => BOOKSHOP_READONLY + array(
					'show_in_rest' => false,
					'public'       => false,
				),
			)
		);

		bookshop_ability(
			'not-for-agents',
			'Not for agents',
			'Visible over REST, but its author does not want agents to use it.',
			array(
				'execute_callback' => static fn() => 'for people',
				'meta'             => BOOKSHOP_READONLY + array( 'mcp' => array( 'public' => false ) ),
			)
		);

		bookshop_ability(
			'noisy',
			'Noisy',
			'Prints a PHP notice before its answer.',
			array(
				'execute_callback' => static function () {
					echo "<br />\n<b>Notice</b>: bookshop is noisy in <b>/x/noisy.php</b> on line <b>5</b><br />\n";
					return array( 'ok' => true );
				},
				'meta'             => BOOKSHOP_READONLY,
			)
		);

		bookshop_ability(
			'strange-schema',
			'Strange schema',
			'Its schema is written the way many plugins write theirs.',
			array(
				'input_schema'     => array(
					'type'       => 'object',
					'properties' => BOOKSHOP_STRANGE,
				),
				'execute_callback' => static fn( $input ) => array(
					'input' => bookshop_map( $input ),
					'types' => bookshop_types( $input ),
				),
				'meta'             => BOOKSHOP_READONLY,
			)
		);

		bookshop_ability(
			'echo',
			'Echo',
			'Returns what it was given.',
			array(
				'input_schema'     => array(
					'type'                 => 'object',
					'additionalProperties' => true,
				),
				'execute_callback' => static fn( $input ) => array(
					'method' => $_SERVER['REQUEST_METHOD'],
					'input'  => bookshop_map( $input ),
					'types'  => bookshop_types( $input ),
				),
				'meta'             => BOOKSHOP_WRITES,
			)
		);

		if ( get_option( 'bookshop_extra' ) ) {
			bookshop_ability(
				'new-arrivals',
				'New arrivals',
				'Lists the books that came in this week.',
				array(
					'execute_callback' => static fn() => array( BOOKSHOP_BOOKS[22]['title'] ),
					'meta'             => BOOKSHOP_READONLY,
				)
			);
		}
	}
);

// The switch for new-arrivals: POST /wp/v2/settings {"bookshop_extra":true}.
add_action(
	'init',
	static function () {
		register_setting(
			'general',
			'bookshop_extra',
			array(
				'type'         => 'boolean',
				'description'  => 'Whether the ability bookshop/new-arrivals exists.',
				'default'      => false,
				'show_in_rest' => true,
			)
		);
	}
);

// --- routes ------------------------------------------------------------------------------------

/** What PHP made of a request. */
function bookshop_echo( WP_REST_Request $request ): array {
	$headers = array();
	foreach ( array( 'accept', 'content_type', 'content_disposition', 'user_agent', 'cache_control', 'x_http_method_override' ) as $name ) {
		if ( null !== $request->get_header( $name ) ) {
			$headers[ $name ] = $request->get_header( $name );
		}
	}
	// Never the credential itself: answers end up in logs.
	if ( null !== $request->get_header( 'authorization' ) ) {
		$headers['authorization'] = strtok( $request->get_header( 'authorization' ), ' ' );
	}
	return array(
		'method'       => $request->get_method(),
		'route'        => $request->get_route(),
		'url_params'   => bookshop_map( $request->get_url_params() ),
		'query_params' => bookshop_map( $request->get_query_params() ),
		'body_params'  => bookshop_map( $request->get_body_params() ),
		'json_params'  => $request->get_json_params(),
		'body'         => wp_check_invalid_utf8( $request->get_body() ),
		'files'        => bookshop_map( array_map( static fn( $file ) => array( 'name' => $file['name'], 'size' => $file['size'] ), $request->get_file_params() ) ),
		'user'         => is_user_logged_in() ? wp_get_current_user()->user_login : null,
		'headers'      => bookshop_map( $headers ),
	);
}

add_action(
	'rest_api_init',
	static function () {
		$args = array(
			's'     => array(
				'type'        => 'string',
				'description' => 'A string.',
			),
			'n'     => array(
				'type'        => 'integer',
				'description' => 'An integer.',
			),
			'x'     => array(
				'type'        => 'number',
				'description' => 'A number.',
			),
			'b'     => array(
				'type'        => 'boolean',
				'description' => 'A boolean.',
			),
			'list'  => array(
				'type'        => 'array',
				'description' => 'Integers.',
				'items'       => array( 'type' => 'integer' ),
			),
			'words' => array(
				'type'        => 'array',
				'description' => 'Strings.',
				'items'       => array( 'type' => 'string' ),
			),
			'obj'   => array(
				'type'        => 'object',
				'description' => 'An object.',
				'properties'  => array(
					'name'  => array( 'type' => 'string' ),
					'count' => array( 'type' => 'integer' ),
					'inner' => array(
						'type'       => 'object',
						'properties' => array(
							'flag' => array( 'type' => 'boolean' ),
							'tags' => array(
								'type'  => 'array',
								'items' => array( 'type' => 'string' ),
							),
						),
					),
				),
			),
		);

		// Declared, but neither checked nor coerced: the echo shows what was sent.
		$open = array_map(
			static fn( $arg ) => $arg + array(
				'validate_callback' => '__return_true',
				'sanitize_callback' => null,
			),
			$args
		);

		foreach (
			array(
				'/echo'                 => $open,
				'/echo/(?P<id>[\w-]+)' => $open,
				// The same arguments, with core's own checks and coercions.
				'/typed'                => $args,
			) as $route => $route_args
		) {
			register_rest_route(
				'bookshop/v1',
				$route,
				array(
					array(
						'methods'             => 'GET',
						'callback'            => 'bookshop_echo',
						'permission_callback' => '__return_true',
						'args'                => $route_args,
					),
					array(
						'methods'             => 'POST, DELETE',
						'callback'            => 'bookshop_echo',
						'permission_callback' => static fn() => current_user_can( 'edit_posts' ),
						'args'                => $route_args,
					),
				)
			);
		}

		// WordPress 7.1 repairs most of this in an ability, but not below an argument of a route.
		register_rest_route(
			'bookshop/v1',
			'/strange',
			array(
				'methods'             => 'POST',
				'callback'            => 'bookshop_echo',
				'permission_callback' => 'bookshop_may_read',
				'args'                => BOOKSHOP_STRANGE + array(
					'nested' => array(
						'type'       => 'object',
						'properties' => BOOKSHOP_STRANGE,
					),
				),
			)
		);

		register_rest_route(
			'bookshop/v1',
			'/whole',
			array(
				'methods'             => 'GET',
				'callback'            => static fn() => 42,
				'permission_callback' => 'bookshop_may_read',
			)
		);

		register_rest_route(
			'bookshop/v1',
			'/slow',
			array(
				'methods'             => 'GET',
				'callback'            => static function ( WP_REST_Request $request ) {
					$ms = min( 10000, max( 0, $request['ms'] ) );
					usleep( 1000 * $ms );
					return array( 'slept' => $ms );
				},
				'permission_callback' => 'bookshop_may_read',
				'args'                => array(
					'ms' => array(
						'type'        => 'integer',
						'description' => 'Milliseconds to wait, at most 10000.',
						'default'     => 1000,
					),
				),
			)
		);

		register_rest_route(
			'bookshop/v1',
			'/fail',
			array(
				'methods'             => 'GET',
				'callback'            => static fn( WP_REST_Request $request ) => new WP_Error(
					$request['code'],
					$request['message'],
					array( 'status' => $request['status'] )
				),
				'permission_callback' => 'bookshop_may_read',
				'args'                => array(
					'status'  => array(
						'type'    => 'integer',
						'minimum' => 400,
						'maximum' => 599,
						'default' => 500,
					),
					'code'    => array(
						'type'    => 'string',
						'default' => 'bookshop_failed',
					),
					'message' => array(
						'type'    => 'string',
						'default' => 'It failed.',
					),
				),
			)
		);
	}
);

// --- files instead of data -----------------------------------------------------------------------

const BOOKSHOP_PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg==';

/** A WAV file of a hundredth of a second. */
function bookshop_silence(): string {
	$samples = str_repeat( "\x80", 80 );
	return 'RIFF' . pack( 'V', 36 + strlen( $samples ) ) . 'WAVEfmt ' . pack( 'VvvVVvv', 16, 1, 1, 8000, 8000, 1, 8 ) . 'data' . pack( 'V', strlen( $samples ) ) . $samples;
}

function bookshop_price_list(): string {
	$lines = "id,price\n";
	foreach ( bookshop_find( array() ) as $book ) {
		$lines .= sprintf( "%d,%.2f\n", $book['id'], $book['price'] );
	}
	return $lines;
}

add_action(
	'rest_api_init',
	static function () {
		$file = static function ( string $route, $methods, $permission, string $type, string $name, callable $data ): void {
			register_rest_route(
				'bookshop/v1',
				$route,
				array(
					'methods'             => $methods,
					'callback'            => static function ( WP_REST_Request $request ) use ( $type, $name, $data ) {
						$headers = array( 'Content-Type' => $type );
						if ( $name ) {
							$headers['Content-Disposition'] = 'attachment; filename="' . sprintf( $name, $request['id'] ) . '"';
						}
						return new WP_REST_Response( $data( $request ), 200, $headers );
					},
					'permission_callback' => $permission,
				)
			);
		};
		$file( '/cover/(?P<id>[\d]+)', 'GET', '__return_true', 'image/png', '', static fn() => base64_decode( BOOKSHOP_PICTURE ) );
		$file( '/sample/(?P<id>[\d]+)', 'GET', '__return_true', 'audio/wav', '', 'bookshop_silence' );
		$file( '/price-list', 'GET', '__return_true', 'text/csv; charset=UTF-8', 'price-list.csv', 'bookshop_price_list' );
		$file( '/leaflet', 'GET', '__return_true', 'text/html; charset=UTF-8', '', static fn() => "<!DOCTYPE html>\n<html><head><title>Leaflet</title></head><body><p>Reading on Friday.</p></body></html>\n" );
		$file( '/logo', 'GET', '__return_true', 'image/svg+xml', '', static fn() => '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>' );
		$file( '/receipt/(?P<id>[\d]+)', 'GET, POST', 'bookshop_may_read', 'application/pdf', 'receipt-%d.pdf', static fn( $request ) => "%PDF-1.4\n% receipt {$request['id']}\n%%EOF\n" );
	}
);

// What says that it is no JSON goes out as it is.
add_filter(
	'rest_pre_serve_request',
	static function ( $served, WP_HTTP_Response $result, WP_REST_Request $request ) {
		if ( ! str_starts_with( $request->get_route(), '/bookshop/v1/' ) || ! isset( $result->get_headers()['Content-Type'] ) ) {
			return $served;
		}
		if ( 'HEAD' !== $request->get_method() ) {
			echo $result->get_data();
		}
		return true;
	},
	10,
	3
);

// --- what arrives, exactly -----------------------------------------------------------------------

/** Abilities and routes for test/wire are there for a client of this name alone: others list what they know. */
function bookshop_on_the_wire(): bool {
	return str_starts_with( $_SERVER['HTTP_USER_AGENT'] ?? '', 'bookshop-wire' );
}

/** A value with its type at every depth, in a form that JSON keeps. */
function bookshop_exact( $value ): array {
	switch ( true ) {
		case is_int( $value ):
			return array( 'int', (string) $value );
		case is_float( $value ):
			return array( 'float', is_finite( $value ) ? var_export( $value, true ) : 'infinite' );
		case ! is_array( $value ):
			return array( gettype( $value ), $value );
		case array_is_list( $value ):
			return array( 'list', array_map( 'bookshop_exact', $value ) );
	}
	$pairs = array();
	foreach ( $value as $key => $item ) {
		$pairs[] = array( (string) $key, bookshop_exact( $item ) );
	}
	return array( 'map', $pairs );
}

const BOOKSHOP_WIRE = array(
	's'     => array( 'type' => 'string' ),
	'n'     => array( 'type' => 'integer' ),
	'x'     => array( 'type' => 'number' ),
	'b'     => array( 'type' => 'boolean' ),
	'list'  => array(
		'type'  => 'array',
		'items' => array( 'type' => 'integer' ),
	),
	'words' => array(
		'type'  => 'array',
		'items' => array( 'type' => 'string' ),
	),
	'obj'   => array(
		'type'       => 'object',
		'properties' => array(
			'name'  => array( 'type' => 'string' ),
			'count' => array( 'type' => 'integer' ),
			'inner' => array(
				'type'       => 'object',
				'properties' => array(
					'flag'  => array( 'type' => 'boolean' ),
					'price' => array( 'type' => 'number' ),
					'rows'  => array(
						'type'  => 'array',
						'items' => array(
							'type'                 => 'object',
							'additionalProperties' => array(
								'type'  => 'array',
								'items' => array( 'type' => 'string' ),
							),
						),
					),
				),
			),
		),
	),
);

add_action(
	'wp_abilities_api_init',
	static function () {
		if ( ! bookshop_on_the_wire() ) {
			return;
		}
		$object = array(
			'type'       => 'object',
			'properties' => BOOKSHOP_WIRE,
		);
		$inputs = array(
			'object'   => $object,
			'optional' => $object + array(
				'additionalProperties' => false,
				'default'              => array(),
			),
			'open'     => array(
				'type'                 => 'object',
				'additionalProperties' => true,
			),
			'text'     => array( 'type' => 'string' ),
			'integer'  => array( 'type' => array( 'integer', 'null' ) ),
			'number'   => array( 'type' => 'number' ),
			'boolean'  => array( 'type' => 'boolean' ),
			'list'     => BOOKSHOP_WIRE['words'],
			'none'     => array(),
		);
		foreach ( array( 'get', 'post', 'delete' ) as $method ) {
			foreach ( $inputs as $form => $schema ) {
				bookshop_ability(
					"wire-$method-$form",
					"Wire $method $form",
					'Returns exactly what it was given.',
					array(
						'input_schema'     => $schema,
						'execute_callback' => static fn( $input = 'nothing' ) => array(
							'method' => strtolower( $_SERVER['REQUEST_METHOD'] ),
							'input'  => bookshop_exact( $input ),
						),
						'meta'             => array(
							'annotations' => array(
								'readonly'    => 'get' === $method,
								'destructive' => 'delete' === $method,
								'idempotent'  => 'post' !== $method,
							),
						),
					)
				);
			}
		}
	}
);

add_action(
	'rest_api_init',
	static function () {
		if ( ! bookshop_on_the_wire() ) {
			return;
		}
		$open = array_map(
			static fn( $arg ) => $arg + array(
				'validate_callback' => '__return_true',
				'sanitize_callback' => null,
			),
			BOOKSHOP_WIRE + array( 'any' => array() )
		);
		foreach ( array( 'GET', 'POST', 'PUT', 'PATCH', 'DELETE' ) as $method ) {
			foreach ( array(
				''               => $open,
				// The same arguments, with core's own checks and coercions.
				'/typed'         => BOOKSHOP_WIRE,
				'/(?P<id>[^/]+)' => $open,
			) as $below => $args ) {
				register_rest_route(
					'bookshop/v1',
					'/wire/' . strtolower( $method ) . $below,
					array(
						'methods'             => $method,
						'callback'            => static fn( WP_REST_Request $request ) => array(
							'method' => $request->get_method(),
							'path'   => bookshop_exact( $request->get_url_params() ),
							'query'  => bookshop_exact( $request->get_query_params() ),
							'body'   => bookshop_exact( $request->get_json_params() ?? array() ),
							'text'   => $request->get_body(),
						),
						'permission_callback' => 'bookshop_may_read',
						'args'                => $args,
					)
				);
			}
		}

		register_rest_route(
			'bookshop/v1',
			'/validate',
			array(
				'methods'             => 'POST',
				'callback'            => 'bookshop_validate',
				'permission_callback' => static fn() => current_user_can( 'manage_options' ),
			)
		);
	}
);

/** What core says of the values of each of `cases`: a list of {schema, values}. */
function bookshop_validate( WP_REST_Request $request ): array {
	add_filter( 'doing_it_wrong_trigger_error', '__return_false' );
	$before = error_reporting( 0 );
	$said   = array();
	foreach ( $request->get_json_params()['cases'] as $case ) {
		$said[] = array_map( static fn( $value ) => bookshop_verdict( $value, $case['schema'] ), $case['values'] );
	}
	error_reporting( $before );
	return $said;
}

function bookshop_verdict( $value, array $schema ): array {
	try {
		$said = rest_validate_value_from_schema( $value, $schema, 'value' );
		if ( true === $said ) {
			$said = rest_sanitize_value_from_schema( $value, $schema, 'value' );
		}
	} catch ( Throwable $e ) {
		$said = new WP_Error( 'throws', $e->getMessage() );
	}
	if ( is_wp_error( $said ) ) {
		return array(
			'code'    => $said->get_error_code(),
			'message' => $said->get_error_message(),
		);
	}
	return array( 'value' => bookshop_exact( $said ) );
}
